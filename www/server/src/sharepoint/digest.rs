//! Request digests: what `contextinfo` hands out and every write must bring back while it is young.

use std::{collections::HashMap, time::Duration};

use tokio::time::Instant;

/// SharePoint's own, where the script asks for no other.
pub const LIFETIME: Duration = Duration::from_secs(1800);

#[derive(Default)]
pub struct Digests(HashMap<String, Instant>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    Unknown,
    Expired,
}

impl Refusal {
    pub fn code(self) -> &'static str {
        match self {
            Self::Unknown => "-2130575251, Microsoft.SharePoint.SPException",
            Self::Expired => "-2130575252, Microsoft.SharePoint.SPException",
        }
    }

    /// SharePoint has one sentence for both.
    pub fn sentence(self) -> &'static str {
        "The security validation for this page is invalid and might be corrupted. Please use your web browser's Back \
         button to try your operation again."
    }
}

impl Digests {
    pub fn issue(&mut self, now: Instant) -> String {
        // Opaque to the client; the comma is there because the real one has one, and clients split at it.
        let digest = format!("0x{:064X},lab", self.0.len() + 1);
        self.0.insert(digest.clone(), now);
        digest
    }

    pub fn check(&self, digest: Option<&str>, now: Instant, lifetime: Duration) -> Result<(), Refusal> {
        let issued = digest.and_then(|digest| self.0.get(digest)).ok_or(Refusal::Unknown)?;
        if now.duration_since(*issued) < lifetime { Ok(()) } else { Err(Refusal::Expired) }
    }
}

#[cfg(test)]
mod tests {
    use super::{Digests, Refusal};
    use std::time::Duration;
    use tokio::time::Instant;

    #[test]
    fn a_digest_is_good_until_its_lifetime_is_over() {
        let (mut digests, issued, lifetime) = (Digests::default(), Instant::now(), Duration::from_secs(1));
        let digest = digests.issue(issued);
        let check = |digest, age| digests.check(digest, issued + Duration::from_millis(age), lifetime);
        assert_eq!(check(Some(&digest), 999), Ok(()));
        assert_eq!(check(Some(&digest), 1000), Err(Refusal::Expired));
        assert_eq!(check(Some("0x00"), 0), Err(Refusal::Unknown));
        assert_eq!(check(None, 0), Err(Refusal::Unknown));
    }
}
