//! What belongs to one test, apart from every other: its script, where the script stands, its lists, its log.

mod log;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{Notify, futures::OwnedNotified};

pub use self::log::{Log, Outcome, Trace};
use crate::{
    model::Model,
    script::{Playhead, Script},
    sharepoint::Site,
};

/// Beyond this many the one unused for longest leaves.
const MAX_SCOPES: usize = 200;

#[derive(Default)]
pub struct Scopes(Mutex<Shelf>);

#[derive(Default)]
struct Shelf {
    scopes: HashMap<String, (Arc<Scope>, u64)>,
    uses: u64,
}

impl Scopes {
    /// The scope of this name; one that nobody scripted behaves normally.
    pub fn open(&self, name: &str) -> Arc<Scope> {
        let mut shelf = lock(&self.0);
        shelf.take(name).unwrap_or_else(|| shelf.put(name, Script::default()))
    }

    pub fn get(&self, name: &str) -> Option<Arc<Scope>> {
        lock(&self.0).take(name)
    }

    /// A fresh scope under this name; requests still under way keep the old one to themselves.
    pub fn put(&self, name: &str, script: Script) {
        lock(&self.0).put(name, script);
    }

    pub fn forget(&self, name: &str) {
        lock(&self.0).scopes.remove(name);
    }
}

impl Shelf {
    fn take(&mut self, name: &str) -> Option<Arc<Scope>> {
        self.uses += 1;
        let (scope, used) = self.scopes.get_mut(name)?;
        *used = self.uses;
        Some(scope.clone())
    }

    fn put(&mut self, name: &str, script: Script) -> Arc<Scope> {
        self.uses += 1;
        let scope = Arc::new(Scope::new(script));
        self.scopes.insert(name.to_owned(), (scope.clone(), self.uses));
        if self.scopes.len() > MAX_SCOPES {
            let idlest = self.scopes.iter().min_by_key(|(_, (_, used))| *used).map(|(name, _)| name.clone());
            idlest.and_then(|name| self.scopes.remove(&name));
        }
        scope
    }
}

pub struct Scope {
    state: Mutex<State>,
    release: Arc<Notify>,
}

pub struct State {
    pub script: Script,
    pub playhead: Playhead,
    pub log: Log,
    pub site: Site,
    pub model: Model,
}

impl Scope {
    fn new(script: Script) -> Self {
        let state = State {
            playhead: Playhead::default(),
            log: Log::new(&script.log),
            site: Site::new(&script.lists),
            model: Model::default(),
            script,
        };
        Self { state: Mutex::new(state), release: Arc::default() }
    }

    pub fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Another script for the same lists and log: an outage begins, or ends.
    pub fn rewrite(&self, script: Script) {
        let mut state = self.lock();
        state.site.seed(&script.lists);
        state.log.limit(&script.log);
        state.playhead = Playhead::default();
        state.script = script;
    }

    /// Waits until the test releases what is held. The log says `held` only once a release would be heard.
    pub async fn hold(&self, trace: &Trace) {
        self.held(trace).await;
        trace.update(|entry| entry.outcome = Outcome::Running);
    }

    /// What `hold` waits for, for those who are polled.
    fn held(&self, trace: &Trace) -> OwnedNotified {
        // It hears of every release from here on, polled or not.
        let released = self.release.clone().notified_owned();
        trace.update(|entry| entry.outcome = Outcome::Held);
        released
    }

    pub fn release(&self) -> usize {
        let held = self.lock().log.held();
        self.release.notify_waiters();
        held
    }
}

/// A poisoned lock means that a request panicked; the others may still be served.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::{MAX_SCOPES, Scopes};
    use crate::script::Script;

    #[test]
    fn the_scope_unused_for_longest_leaves_first() {
        let scopes = Scopes::default();
        for n in 0..MAX_SCOPES {
            scopes.put(&n.to_string(), Script::default());
        }
        assert!(scopes.get("0").is_some());
        scopes.put("one more", Script::default());
        assert!(scopes.get("0").is_some(), "used a moment ago");
        assert!(scopes.get("1").is_none(), "the idlest");
        assert!(scopes.get("one more").is_some());
    }
}
