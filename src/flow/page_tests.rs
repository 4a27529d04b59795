//! Calls that share a page, one after the other on the virtual clock.

use super::*;
use crate::fake_host::{FakeHost, Step, network, status};
use crate::host::{Drawn, News, Reason};
use crate::policy::circuit::State;
use crate::policy::plan::{NOBODY, TABS};

mod budget;
mod circuit;
mod gate;
mod offline;

fn read() -> Plan {
    Plan::new(Kind::Sp, true)
}

fn write() -> Plan {
    Plan::new(Kind::Sp, false)
}

fn ai() -> Plan {
    Plan::new(Kind::Ai, false)
}

fn once(plan: Plan) -> Plan {
    Plan { max_retries: 0.0, ..plan }
}

fn cool_downs(host: &FakeHost) -> Vec<f64> {
    let until = |news: &News| if let News::CoolDown { until_ms } = news { Some(*until_ms) } else { None };
    host.news.borrow().iter().filter_map(until).collect()
}

/// What is shared there, to be shared by others.
fn copy_of(host: &FakeHost) -> crate::fake_host::Page {
    std::rc::Rc::new(std::cell::RefCell::new(host.page.borrow().clone()))
}
