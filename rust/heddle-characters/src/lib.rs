//! What a kernel is like: its character sheet.
//!
//! The papers' results rest on the character of their benchmarks: threads of a block, shared memory,
//! registers per thread, what limits the occupancy, how instructions mix, how lanes diverge, how much
//! memory an SM touches, how often the L1 misses, how often a register is read.
//!
//! - [`entries()`] computes in a moment what follows from the program and its launches;
//! - [`measure`] runs one SM's share on the baseline and counts the rest;
//! - [`check()`] holds both against the values that papers and suites publish, [`audit()`] all sheets.
//!
//! The program `heddle-characters` keeps the sheets of all workloads in `docs/characters/`.

mod audit;
pub mod check;
pub mod entries;
mod error;
mod hash;
mod page;
mod profile;
mod shares;
mod sheet;
mod store;
mod text;

pub use audit::{Audit, audit, is_fresh, sheets};
pub use check::{Finding, Verdict, check};
pub use entries::{EntryCharacter, Residency, entries, entries_with};
pub use error::CharacterError;
pub use page::page;
pub use shares::{Mix, Reuse};
pub use sheet::{PRESETS, RunCharacter, SCHEMA, Sheet, fingerprint, measure};
pub use store::{Store, sheet_name};
pub use text::text;
