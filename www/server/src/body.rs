//! The body of every answer: pieces that leave at once or at a pace, and an end that may be missing, late or violent.

use std::{
    collections::VecDeque,
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use hyper::body::{Bytes, Frame, SizeHint};
use tokio::{
    sync::futures::OwnedNotified,
    time::{Sleep, sleep},
};

use crate::{
    connection::{Cut, Wire},
    scope::{Outcome, Trace},
};

/// What comes after the last piece.
pub enum End {
    Finish,
    /// Nothing more, and the connection stays open until the client leaves.
    Stall,
    Cut(Cut, Wire),
}

pub struct Body {
    pieces: VecDeque<Bytes>,
    every: Duration,
    end: End,
    /// The length is announced; otherwise the pieces travel as a chunked body.
    sized: bool,
    wait: Option<Pin<Box<Sleep>>>,
    /// Each piece but the first waits until the test releases it.
    holds: bool,
    held: Option<Pin<Box<OwnedNotified>>>,
    trace: Option<Trace>,
}

impl Body {
    pub fn whole(bytes: Bytes) -> Self {
        let pieces = if bytes.is_empty() { VecDeque::new() } else { VecDeque::from([bytes]) };
        Self {
            pieces,
            every: Duration::ZERO,
            end: End::Finish,
            sized: true,
            wait: None,
            holds: false,
            held: None,
            trace: None,
        }
    }

    /// Pieces that leave one by one; a stall or a cut comes one pause after the last of them, a plain end at once.
    pub fn paced(pieces: impl IntoIterator<Item = Bytes>, every: Duration, end: End) -> Self {
        Self {
            pieces: pieces.into_iter().collect(),
            every,
            end,
            sized: false,
            wait: None,
            holds: false,
            held: None,
            trace: None,
        }
    }

    /// Reports in the scope's log how the answer ended.
    pub fn traced(mut self, trace: Trace) -> Self {
        self.trace = Some(trace);
        self
    }

    pub fn held_piecewise(mut self, holds: bool) -> Self {
        self.holds = holds;
        self
    }

    fn is_complete(&self) -> bool {
        self.pieces.is_empty() && matches!(self.end, End::Finish)
    }
}

impl hyper::body::Body for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if let Some(wait) = &mut self.wait {
            ready!(wait.as_mut().poll(context));
            self.wait = None;
        }
        if let Some(held) = &mut self.held {
            ready!(held.as_mut().poll(context));
            self.held = None;
            if let Some(trace) = &self.trace {
                trace.update(|entry| entry.outcome = Outcome::Running);
            }
        }
        if let Some(piece) = self.pieces.pop_front() {
            if self.holds && !self.pieces.is_empty() {
                self.held = self.trace.as_ref().map(|trace| Box::pin(trace.held()));
            }
            if !self.every.is_zero() {
                self.wait = Some(Box::pin(sleep(self.every)));
            }
            return Poll::Ready(Some(Ok(Frame::data(piece))));
        }
        match &self.end {
            End::Finish => Poll::Ready(None),
            End::Stall => Poll::Pending,
            End::Cut(how, wire) => {
                wire.cut(*how);
                let outcome = Outcome::of(*how);
                if let Some(trace) = self.trace.take() {
                    trace.end(outcome);
                }
                Poll::Pending
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.is_complete()
    }

    fn size_hint(&self) -> SizeHint {
        if self.sized {
            SizeHint::with_exact(self.pieces.iter().map(|piece| piece.len() as u64).sum())
        } else {
            SizeHint::default()
        }
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        // hyper lets go of a body when all of it is handed over, and when the client is gone.
        if self.is_complete()
            && let Some(trace) = self.trace.take()
        {
            trace.end(Outcome::Answered);
        }
    }
}
