//! A call between the JavaScript that took it apart (`calls.js`) and the flow.

use super::js::{self, Call};
use super::options::{self, Traits};
use super::{Browser, clock, task};
use crate::account::Account;
use crate::flow::{self, End};
use crate::policy::clock::Instant;
use crate::policy::plan::{Kind, Plan};

/// Begins a call and gives back its number. Whatever happens, it ends in one `js::end`.
pub fn start(kind: Kind, call: Call, now: Instant) -> u32 {
    clock::tick(now);
    let traits = Traits::of(&call);
    let plan = options::plan(kind, &call, &traits);
    let browser = Browser { call, traits };
    task::begin(async move {
        let (end, account) = flow::run(&browser, &plan).await;
        finish(&browser.call, &plan, &end, &account);
    })
}

fn finish<A, E>(call: &Call, plan: &Plan, end: &End<A, E>, account: &Account) {
    let (how, ms) = match end {
        End::Answer(_) => (0, 0.0),
        End::Error(_) => (1, 0.0),
        End::Timeout(_) => (2, plan.total_ms.min(plan.attempt_ms)),
        End::Aborted => (3, 0.0),
        End::Refused(ms) => (4, *ms),
    };
    js::end(
        call,
        how,
        ms,
        account.total_ms,
        account.waited_ms,
        account.stop as u32,
        account.retry_after_ms.unwrap_or(f64::NAN),
        account.retry_after_hidden.into(),
        account.page.map_or(-1, |page| page as i32),
        status(account.last_status),
    );
}

/// As JavaScript is told: -1 where it could not be read.
pub fn status(status: Option<u16>) -> i32 {
    status.map_or(-1, i32::from)
}
