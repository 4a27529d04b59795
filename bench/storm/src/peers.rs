//! What else a page might use, as small models of its defaults, written from the sources of the named versions. Each is a loop
//! around one request; a call is a GET, which all of them may repeat.

use crate::server::Reply;
use crate::sim::{Call, Client, Sim};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// One of them.
pub struct Peer {
    /// Its name, and its version.
    pub name: &'static str,
    /// What the model contains, in words.
    pub model: &'static str,
    /// Repeats at most.
    pub retries: u32,
    on_refusal: bool,
    on_lost: bool,
    /// The wait before a repeat.
    wait_ms: fn(&Failed) -> f64,
    breaker: Option<Breaker>,
}

/// What a wait may depend on.
struct Failed<'a> {
    /// 0 before the first repeat.
    n: u32,
    /// The request was lost, rather than refused.
    lost: bool,
    /// The wait that the refusal stated.
    hint_ms: Option<f64>,
    /// Random in [0, 1).
    unit: f64,
    /// 0 at first, and then what was left here before the last repeat.
    kept: &'a Cell<f64>,
}

/// Opens after so many failures in a row, and for so long.
#[derive(Clone, Copy)]
struct Breaker {
    failures: u32,
    open_ms: f64,
}

const ONCE: Peer = Peer {
    name: "never repeat",
    model: "bare `fetch`",
    retries: 0,
    on_refusal: false,
    on_lost: false,
    wait_ms: |_| 0.0,
    breaker: None,
};

/// All of them, and bare `fetch` first.
pub const PEERS: [Peer; 10] = [
    ONCE,
    Peer {
        name: "naive loop",
        model: "3 repeats at once, whatever failed",
        retries: 3,
        on_refusal: true,
        on_lost: true,
        ..ONCE
    },
    Peer {
        name: "ky 2.1.0",
        model: "2 repeats, 0.3 s × 2ⁿ without jitter; `Retry-After` to the letter",
        retries: 2,
        on_refusal: true,
        on_lost: true,
        wait_ms: |failed| failed.hint_ms.unwrap_or(doubled(300.0, failed.n)),
        ..ONCE
    },
    Peer {
        name: "p-retry 9.0.0",
        model: "10 repeats, 1 s × 2ⁿ without jitter, headers unread; the caller throws on what is not ok",
        retries: 10,
        on_refusal: true,
        on_lost: true,
        wait_ms: |failed| doubled(1_000.0, failed.n),
        ..ONCE
    },
    Peer {
        name: "axios-retry 4.5.0",
        model: "3 repeats at once; `Retry-After` to the letter",
        retries: 3,
        on_refusal: true,
        on_lost: true,
        wait_ms: |failed| failed.hint_ms.unwrap_or(0.0),
        ..ONCE
    },
    Peer {
        name: "fetch-retry 6.0.0",
        model: "3 repeats, 1 s each, headers unread; `retryOn: [429, 503]`, since by default it repeats lost requests only",
        retries: 3,
        on_refusal: true,
        on_lost: true,
        wait_ms: |_| 1_000.0,
        ..ONCE
    },
    Peer {
        name: "cockatiel 4.0.0",
        model: "its readme's first example: 3 repeats with decorrelated jitter from 128 ms, around a breaker that opens for 10 s after 5 failures in a row; headers unread",
        retries: 3,
        on_refusal: true,
        on_lost: true,
        wait_ms: decorrelated_ms,
        breaker: Some(Breaker { failures: 5, open_ms: 10_000.0 }),
    },
    Peer {
        name: "PnPjs 4.21.0",
        model: "2 repeats after 0.4 s and 0.8 s without jitter, a lost request at once; `Retry-After` to the letter",
        retries: 2,
        on_refusal: true,
        on_lost: true,
        wait_ms: pnp_ms,
        ..ONCE
    },
    Peer {
        name: "Graph client 3.0.7",
        model: "3 repeats after 3, 5 and 7 s and up to 1 s of jitter; `Retry-After` to the letter; lost requests are final",
        retries: 3,
        on_refusal: true,
        on_lost: false,
        wait_ms: |failed| failed.hint_ms.unwrap_or(3_000.0 + 2_000.0 * f64::from(failed.n) + 1_000.0 * failed.unit),
        ..ONCE
    },
    Peer {
        name: "Azure core 1.25.1",
        model: "`defaultRetryPolicy`: 3 repeats, 1 s × 2ⁿ of which half is jitter; `Retry-After` to the letter",
        retries: 3,
        on_refusal: true,
        on_lost: true,
        wait_ms: |failed| failed.hint_ms.unwrap_or(doubled(1_000.0, failed.n) * (0.5 + 0.5 * failed.unit)),
        ..ONCE
    },
];

fn doubled(first_ms: f64, n: u32) -> f64 {
    first_ms * f64::from(1u32 << n)
}

/// A stated wait is what the next one is doubled from; a lost request waits for nothing.
fn pnp_ms(failed: &Failed) -> f64 {
    if failed.lost {
        return 0.0;
    }
    let last = if failed.kept.get() > 0.0 { failed.kept.get() } else { 200.0 };
    failed.kept.set(failed.hint_ms.unwrap_or(last * 2.0));
    failed.kept.get()
}

/// The decorrelated jitter that cockatiel took over from Polly: the differences of a smoothed exponential curve at random
/// points.
fn decorrelated_ms(failed: &Failed) -> f64 {
    let t = f64::from(failed.n) + failed.unit;
    let point = t.exp2() * (4.0 * t).sqrt().tanh();
    let difference = (point - failed.kept.replace(point)).max(0.0);
    (difference / 1.4 * 128.0).min(30_000.0)
}

/// A page's breaker.
#[derive(Clone, Copy, Default)]
struct Circuit {
    failures: u32,
    /// Open until then; the place of the one probe is taken for as long as it takes.
    open_until_ms: Option<f64>,
    probing: bool,
}

/// Pages that use one of them.
pub struct Pages {
    peer: &'static Peer,
    circuits: Rc<[RefCell<Circuit>]>,
}

impl Peer {
    /// Pages that use it.
    pub fn on(&'static self, pages: usize) -> Pages {
        Pages { peer: self, circuits: (0..pages).map(|_| RefCell::default()).collect() }
    }
}

impl Client for Pages {
    fn call(&self, sim: &Rc<Sim>, page: usize) -> Call {
        let (peer, sim, circuits) = (self.peer, Rc::clone(sim), Rc::clone(&self.circuits));
        Box::pin(async move {
            let kept = Cell::new(0.0);
            for n in 0..=peer.retries {
                let (lost, hint_ms) = match ask(peer, &sim, page, n, &circuits[page]).await {
                    Some(Reply::Good) => return true,
                    Some(Reply::Refused(_, hint_ms)) if peer.on_refusal => (false, hint_ms),
                    Some(Reply::Lost) if peer.on_lost => (true, None),
                    // The breaker refused it, which the loop around it takes for any other failure.
                    None => (false, None),
                    _ => return false,
                };
                if n < peer.retries {
                    let failed = Failed { n, lost, hint_ms, unit: sim.random.unit(), kept: &kept };
                    sim.sleep((peer.wait_ms)(&failed)).await;
                }
            }
            false
        })
    }
}

/// One request, unless a breaker stands in its way.
async fn ask(peer: &Peer, sim: &Sim, page: usize, n: u32, circuit: &RefCell<Circuit>) -> Option<Reply> {
    let Some(breaker) = peer.breaker else { return sim.send(page, n > 0, f64::INFINITY).await };
    let probe = {
        let mut circuit = circuit.borrow_mut();
        match circuit.open_until_ms {
            None => false,
            // cockatiel lets the others wait for the probe, which changes little, since it takes a tenth of a second.
            Some(until_ms) if sim.now_ms() < until_ms || circuit.probing => return None,
            Some(_) => {
                circuit.probing = true;
                true
            }
        }
    };
    let reply = sim.send(page, n > 0, f64::INFINITY).await;
    let mut circuit = circuit.borrow_mut();
    if reply == Some(Reply::Good) {
        // A call that began before it opened does not close it.
        if probe || circuit.open_until_ms.is_none() {
            *circuit = Circuit::default();
        } else {
            circuit.failures = 0;
        }
    } else {
        circuit.failures += 1;
        if probe || (circuit.open_until_ms.is_none() && circuit.failures >= breaker.failures) {
            circuit.open_until_ms = Some(sim.now_ms() + breaker.open_ms);
            circuit.probing = false;
        }
    }
    reply
}
