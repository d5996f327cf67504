//! Pieces that the models share, one for each cell of `rtl/common` that has a timing of its own.

mod bank_set;
mod bank_timer;
mod event_bits;
mod event_fields;
mod rotating;
mod versions;

pub use bank_set::{BankSet, MOST_BANKS, bank_words, banks_of};
pub use bank_timer::{BankTick, BankTimers};
pub use event_bits::set_bits;
pub(crate) use event_fields::event_fields;
pub use rotating::{Rotating, rotating_pick};
pub use versions::{Lanes, Value, Versions};
