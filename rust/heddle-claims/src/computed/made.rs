//! Entries of kernels made by hand, for tests.

use heddle_characters::{EntryCharacter, Residency};

/// An entry whose blocks are a warp; so many of them fit by preset, and none where it is `None`.
pub fn entry(shared_bytes: u32, fitting: &[(&str, Option<u32>)]) -> EntryCharacter {
    let fits = |ctas| Residency { ctas, warps: ctas, warp_slots: 64, limit: "ctas".to_owned() };
    EntryCharacter {
        entry: String::new(),
        code: String::new(),
        block: [32, 1, 1],
        registers: 16,
        local_bytes: 0,
        shared_bytes,
        residency: fitting.iter().map(|(preset, ctas)| ((*preset).to_owned(), ctas.map(fits))).collect(),
    }
}
