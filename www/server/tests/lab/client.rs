//! A client that sees what a library would hide: raw bytes, and how the connection ended.

use std::{
    io::{ErrorKind, Read, Write},
    net::TcpStream,
    sync::{OnceLock, mpsc},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;
use steadfetch_lab::Config;

/// Starts a server of its own; the origins, as `127.0.0.1:PORT`.
pub fn start(time_scale: f64) -> [String; 2] {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let root = env!("CARGO_MANIFEST_DIR").into();
            let origins = steadfetch_lab::start(Config { root, port: 0, time_scale }).await.unwrap();
            sender.send(origins.map(|origin| origin.replace("http://", ""))).unwrap();
            std::future::pending::<()>().await;
        });
    });
    receiver.recv().unwrap()
}

/// The server that most tests share: their scopes keep them apart.
pub fn lab() -> &'static [String; 2] {
    static LAB: OnceLock<[String; 2]> = OnceLock::new();
    LAB.get_or_init(|| start(1.0))
}

pub struct Reply {
    /// What came, chunk sizes included; bytes outside UTF-8 as U+FFFD.
    pub raw: String,
    pub bytes: Vec<u8>,
    /// The connection ended with a TCP reset.
    pub reset: bool,
}

impl Reply {
    pub fn head(&self) -> &str {
        self.raw.split_once("\r\n\r\n").map_or(self.raw.as_str(), |(head, _)| head)
    }

    pub fn raw_body(&self) -> &str {
        self.raw.split_once("\r\n\r\n").map_or("", |(_, body)| body)
    }

    pub fn status(&self) -> u16 {
        self.raw.split(' ').nth(1).unwrap_or_else(|| panic!("no status in {:?}", self.raw)).parse().unwrap()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head().lines().skip(1).filter_map(|line| line.split_once(": "));
        lines.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(self.raw_body()).unwrap_or_else(|error| panic!("{error} in {:?}", self.raw))
    }

    /// The chunks of a chunked body, the closing empty one included.
    pub fn chunks(&self) -> Vec<&str> {
        let mut lines = self.raw_body().split("\r\n");
        let mut chunks = Vec::new();
        while let (Some(size), Some(chunk)) = (lines.next(), lines.next()) {
            assert_eq!(usize::from_str_radix(size, 16).unwrap(), chunk.len(), "{:?}", self.raw);
            chunks.push(chunk);
        }
        chunks
    }
}

pub fn connect(host: &str) -> TcpStream {
    let stream = TcpStream::connect(host).unwrap();
    // Nothing here takes as long: a hang is a failure, not a stuck test run.
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream
}

pub fn write_request(stream: &mut TcpStream, host: &str, line: &str, headers: &[(&str, &str)], body: &str) {
    let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let length = body.len();
    write!(stream, "{line} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n{headers}\r\n{body}").unwrap();
}

pub fn send(host: &str, line: &str, headers: &[(&str, &str)], body: &str) -> Reply {
    let mut stream = connect(host);
    write_request(&mut stream, host, line, headers, body);
    read_to_end(&mut stream)
}

pub fn read_to_end(stream: &mut TcpStream) -> Reply {
    let mut raw = Vec::new();
    let reset = match stream.read_to_end(&mut raw) {
        Ok(_) => false,
        Err(error) if error.kind() == ErrorKind::ConnectionReset => true,
        Err(error) => panic!("{error} after {:?}", String::from_utf8_lossy(&raw)),
    };
    Reply { raw: String::from_utf8_lossy(&raw).into_owned(), bytes: raw, reset }
}

/// One test's scope on a server.
pub struct Scope {
    pub name: String,
    pub host: String,
}

impl Scope {
    pub fn new(name: &str, script: &str) -> Self {
        Self::on(&lab()[0], name, script)
    }

    pub fn on(host: &str, name: &str, script: &str) -> Self {
        let scope = Self { name: name.to_owned(), host: host.to_owned() };
        scope.control("PUT", script);
        scope
    }

    pub fn control(&self, method: &str, script: &str) {
        let reply = send(&self.host, &format!("{method} /control/{}", self.name), &[], script);
        assert_eq!(reply.status(), 200, "{}", reply.raw);
    }

    /// `line` is a method and a path within the scope.
    pub fn send(&self, line: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        send(&self.host, &self.line(line), headers, body)
    }

    pub fn get(&self, path: &str) -> Reply {
        self.send(&format!("GET {path}"), &[], "")
    }

    /// A request whose answer is read later, or never.
    pub fn begin(&self, line: &str) -> TcpStream {
        let mut stream = connect(&self.host);
        write_request(&mut stream, &self.host, &self.line(line), &[], "");
        stream
    }

    fn line(&self, line: &str) -> String {
        let (method, path) = line.split_once(' ').unwrap();
        format!("{method} /t/{}{path}", self.name)
    }

    pub fn release(&self) -> Value {
        send(&self.host, &format!("POST /control/{}/release", self.name), &[], "").json()
    }

    pub fn account(&self) -> Value {
        send(&self.host, &format!("GET /control/{}", self.name), &[], "").json()
    }

    pub fn count(&self, list: &str) -> u64 {
        self.account()["lists"][list]["count"].as_u64().unwrap_or_default()
    }

    /// Polls until the account is as expected.
    pub fn wait_for(&self, what: &str, expected: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + Duration::from_secs(20);
        loop {
            let account = self.account();
            if expected(&account) {
                return account;
            }
            assert!(Instant::now() < deadline, "waited in vain for {what}: {account:#}");
            thread::yield_now();
        }
    }

    /// Waits until the log's last request ended like this.
    pub fn wait_for_outcome(&self, outcome: &str) {
        self.wait_for(outcome, |account| {
            account["requests"].as_array().unwrap().last().is_some_and(|last| last["outcome"] == outcome)
        });
    }
}

pub const ITEMS: &str = "/sites/a/_api/web/lists/getbytitle('Orders')/items";
