//! What the end of one send says about the write: that it happened, that it did not, or neither.

/// How a send ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ended {
    /// With an answer; `page`: HTML in place of data. `None` where the status cannot be read.
    Answered {
        /// Of the answer.
        status: Option<u16>,
        /// The wait that the server stated, milliseconds.
        hint_ms: Option<f64>,
        /// Whether HTML came in place of data.
        page: bool,
    },
    /// Without an answer: the network failed, or time ran out.
    Unanswered,
    /// Before it began: nothing left the page.
    NotSent,
}

/// What is known of the write by then.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// It was carried out.
    Written,
    /// It was refused: this send changed nothing.
    Refused,
    /// The server's own failure, told by itself: it is done with the write, but how far it got is not known.
    Failed(Option<f64>),
    /// Asked to come back later; it may have been carried out all the same. With the wait that was stated.
    Throttled(Option<f64>),
    /// Nobody knows, and it may still be under way.
    Lost(Option<f64>),
    /// Nothing was sent.
    NotSent,
}

impl Outcome {
    /// Reads it off the end of a send.
    pub fn of(ended: Ended) -> Outcome {
        let Ended::Answered { status, hint_ms, page } = ended else {
            return if ended == Ended::NotSent { Outcome::NotSent } else { Outcome::Lost(None) };
        };
        match status {
            Some(200..=299) if !page => Outcome::Written,
            // A gateway that says that time ran out had passed the request on.
            Some(408) => Outcome::Lost(hint_ms),
            Some(429 | 503) => Outcome::Throttled(hint_ms),
            Some(400..=499) => Outcome::Refused,
            // 502, 504 and what else gateways answer speak of the way, not of the write.
            Some(500 | 501 | 505 | 507) => Outcome::Failed(hint_ms),
            // With them: sign-in pages, redirects, answers that cannot be read.
            _ => Outcome::Lost(hint_ms),
        }
    }

    /// The wait that the server stated, milliseconds.
    pub fn hint_ms(self) -> Option<f64> {
        match self {
            Outcome::Failed(hint) | Outcome::Throttled(hint) | Outcome::Lost(hint) => hint,
            Outcome::Written | Outcome::Refused | Outcome::NotSent => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Ended, Outcome};
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn outcome(status: Option<u16>, page: bool) -> Outcome {
        Outcome::of(Ended::Answered { status, hint_ms: Some(7.0), page })
    }

    #[test]
    fn every_status_says_one_thing_about_the_write() {
        let hint = Some(7.0);
        for status in 0..=999 {
            let expected = match status {
                200..=299 => Outcome::Written,
                429 | 503 => Outcome::Throttled(hint),
                408 => Outcome::Lost(hint),
                400..=499 => Outcome::Refused,
                500 | 501 | 505 | 507 => Outcome::Failed(hint),
                _ => Outcome::Lost(hint),
            };
            assert_eq!(outcome(Some(status), false), expected, "{status}");
        }
        assert_eq!(outcome(None, false), Outcome::Lost(hint));
    }

    #[test]
    fn a_page_in_place_of_data_is_no_success_and_makes_no_refusal_doubtful() {
        assert_eq!(outcome(Some(200), true), Outcome::Lost(Some(7.0)));
        assert_eq!(outcome(Some(403), true), Outcome::Refused);
        assert_eq!(outcome(Some(429), true), Outcome::Throttled(Some(7.0)));
    }

    #[test]
    fn what_was_never_sent_is_told_from_what_was_never_answered() {
        assert_eq!(Outcome::of(Ended::NotSent), Outcome::NotSent);
        assert_eq!(Outcome::of(Ended::Unanswered), Outcome::Lost(None));
    }
}
