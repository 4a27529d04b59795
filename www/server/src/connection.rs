//! One TCP connection, and the ways to end it badly. A client tells a reset from an early close and from a cut header
//! block, so the lab must be able to do each of them for real, at a moment the answer chooses.

use std::{io, sync::Arc, time::Duration};

use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::mpsc,
    time::sleep,
};

use crate::{App, route};

/// How a connection ends before its answer is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// A TCP RST; otherwise an orderly FIN.
    pub reset: bool,
    /// Sends the first half of a header block before the end.
    pub half_a_header: bool,
}

/// The handle by which an answer cuts the connection it travels on.
#[derive(Clone)]
pub struct Wire(mpsc::UnboundedSender<Cut>);

impl Wire {
    pub fn cut(&self, how: Cut) {
        // The receiver is gone only if the client left first; then there is nothing to cut.
        let _ = self.0.send(how);
    }
}

pub async fn accept(listener: TcpListener, app: Arc<App>) {
    loop {
        // An error here concerns a single client that left between SYN and accept, or a moment without descriptors.
        match listener.accept().await {
            Ok((stream, _)) => drop(tokio::spawn(serve(stream, app.clone()))),
            Err(_) => sleep(Duration::from_millis(10)).await,
        }
    }
}

async fn serve(stream: TcpStream, app: Arc<App>) {
    // Without it the pieces of a trickling body would be collected by Nagle's algorithm.
    let _ = stream.set_nodelay(true);
    let (cut, mut cuts) = mpsc::unbounded_channel();
    let service = service_fn(|request| route::respond(app.clone(), Wire(cut.clone()), request));
    let mut connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    let how = tokio::select! {
        // The connection comes first: hyper flushes what an answer gave so far before the cut is looked at.
        biased;
        _ = &mut connection => return,
        Some(how) = cuts.recv() => how,
    };
    // An error means that the client was faster: the connection is as gone as the script wants it.
    let _ = end(connection.into_parts().io.into_inner(), how).await;
}

async fn end(stream: TcpStream, how: Cut) -> io::Result<()> {
    if how.half_a_header {
        stream.writable().await?;
        stream.try_write(b"HTTP/1.1 200 OK\r\nContent-Type: applicat")?;
    }
    if how.reset {
        stream.set_zero_linger()?;
    }
    Ok(())
}
