//! Writes that cannot double: what `writeOnce` decides. Its shell, and `readAll` and `collapseDuplicates`, which have
//! little to decide, are JavaScript in `pkg-template/`.

pub mod write_once;
