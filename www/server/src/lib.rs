//! The local peer of the tests and of the lab page: a loopback server that plays SharePoint REST and a Function App
//! in front of a model, and misbehaves exactly as a test's script says.
//!
//! Where to look, in the order in which a request passes:
//! `connection` (one TCP connection, and how it may be cut) → `route` (who answers) → `play` (**read first**: the life
//! of one scripted request) → `script` (what a test may ask for) → `sharepoint` or `model` (the normal behaviour) or
//! `scripted` (an answer of the script's own) → `cors` → `body` (the answer, piece by piece). `scope` keeps what belongs to one test, `control` lets the test at it,
//! `static_files` serves the pages. The routes and the script are described in the README beside this crate.

#![forbid(unsafe_code)]

mod answer;
mod body;
mod clock;
mod connection;
mod control;
mod cors;
mod model;
mod play;
mod request;
mod route;
mod scope;
mod script;
mod scripted;
mod sharepoint;
mod static_files;

use std::{io, net::Ipv4Addr, path::PathBuf, sync::Arc};

use tokio::net::TcpListener;

use crate::{clock::Clock, scope::Scopes};

/// What the command line says.
pub struct Config {
    /// The directory served as static files.
    pub root: PathBuf,
    /// The port of the first origin; 0 lets the system choose.
    pub port: u16,
    /// Every scripted time is divided by this, so that a test need not wait four real minutes for a gateway.
    pub time_scale: f64,
}

/// What every connection shares.
pub(crate) struct App {
    root: PathBuf,
    clock: Clock,
    scopes: Scopes,
    origins: [String; 2],
}

/// Binds two loopback ports, so that each can play "another origin" for pages of the other, and serves both until the
/// runtime ends. Returns the origins, `http://127.0.0.1:PORT` each.
pub async fn start(config: Config) -> io::Result<[String; 2]> {
    let root = config.root.canonicalize()?;
    let listeners = [listen(config.port).await?, listen(0).await?];
    let [first, second] = &listeners;
    let origins = [origin(first)?, origin(second)?];
    let app = Arc::new(App {
        root,
        clock: Clock::new(config.time_scale),
        scopes: Scopes::default(),
        origins: origins.clone(),
    });
    for listener in listeners {
        tokio::spawn(connection::accept(listener, app.clone()));
    }
    Ok(origins)
}

async fn listen(port: u16) -> io::Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await
}

fn origin(listener: &TcpListener) -> io::Result<String> {
    Ok(format!("http://{}", listener.local_addr()?))
}
