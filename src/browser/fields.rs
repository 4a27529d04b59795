//! Headers of anything that JavaScript has for headers.

use super::js;
use crate::policy::fields::Fields;
use wasm_bindgen::JsValue;

/// A Response, Headers, a Headers-like or a record.
pub struct Of<'a>(pub &'a JsValue);

impl Fields for Of<'_> {
    fn field(&self, name: &str) -> Option<String> {
        js::field(self.0, name)
    }
}
