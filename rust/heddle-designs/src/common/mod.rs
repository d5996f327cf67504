//! Pieces that the models share, one for each cell of `rtl/common` that has a timing of its own.

mod bank_timer;
mod event_bits;
mod event_fields;
mod members;
mod rotating;
mod versions;

pub use bank_timer::{BankTick, BankTimers};
pub use event_bits::set_bits;
pub(crate) use event_fields::event_fields;
pub use members::{BankSet, MOST_BANKS, bank_words, banks_of, members};
pub use rotating::{Rotating, rotating_pick};
pub use versions::{Lanes, Value, Versions};
