//! A request as the played back ends see it: read to its end, decoded, with the scope's prefix taken off.

use http_body_util::BodyExt;
use hyper::{HeaderMap, Method, body::Incoming, header};
use percent_encoding::percent_decode_str;

/// The part of a body that is kept; the rest is only counted.
pub const KEPT_BODY_BYTES: usize = 4 * 1024 * 1024;

pub struct Head {
    pub method: Method,
    /// Where the request came in, `http://127.0.0.1:PORT`: links in answers are built on it.
    pub origin: String,
    /// `/t/{scope}`, or nothing for the default scope.
    pub prefix: String,
    /// Decoded, without the prefix.
    pub path: String,
    /// The same as it was sent, for links.
    pub raw_path: String,
    /// As sent, without the question mark.
    pub query: String,
    pub headers: HeaderMap,
}

impl Head {
    pub fn header(&self, name: impl header::AsHeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The first value of a query parameter, decoded.
    pub fn parameter(&self, name: &str) -> Option<String> {
        self.parameters().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    pub fn parameters(&self) -> impl Iterator<Item = (String, String)> + '_ {
        form_urlencoded::parse(self.query.as_bytes()).into_owned()
    }

    /// Path and query, both decoded: what a script's `match.path` looks into.
    pub fn target(&self) -> String {
        format!("{}?{}", self.path, decode(&self.query))
    }

    /// Attempts of one call share this: same method, same path, same query.
    pub fn call_key(&self) -> String {
        format!("{} {}?{}", self.method, self.path, self.query)
    }

    /// An OPTIONS request that a browser sent on its own account.
    pub fn is_preflight(&self) -> bool {
        self.method == Method::OPTIONS && self.headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
    }

    /// What a SharePoint POST means: `X-HTTP-Method` turns it into a MERGE, PUT, PATCH or DELETE.
    pub fn effective_method(&self) -> String {
        match self.header("x-http-method") {
            Some(tunnelled) if self.method == Method::POST => tunnelled.to_ascii_uppercase(),
            _ => self.method.as_str().to_owned(),
        }
    }
}

pub struct Request {
    pub head: Head,
    pub body: Vec<u8>,
}

/// Reads to the end, since a connection closed on unread bytes would be reset instead. `None`: the client left.
pub async fn read_body(mut incoming: Incoming) -> Option<(Vec<u8>, u64)> {
    let (mut kept, mut length) = (Vec::new(), 0);
    while let Some(frame) = incoming.frame().await {
        if let Ok(data) = frame.ok()?.into_data() {
            length += data.len() as u64;
            let room = KEPT_BODY_BYTES - kept.len();
            kept.extend(data.iter().take(room));
        }
    }
    Some((kept, length))
}

pub fn decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}
