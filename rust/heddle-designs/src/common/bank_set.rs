//! Sets of banks as bit masks.

use heddle_port::MAX_BANKS;

/// Most banks of a main register file.
pub const MOST_BANKS: usize = MAX_BANKS;
/// A set of banks.
pub type BankSet = u128;

/// The banks of a set, lowest first.
#[inline]
pub fn banks_of(mut set: BankSet) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bank = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(bank)
    })
}

/// The set in the words of the port's status.
#[inline]
#[must_use]
pub fn bank_words(set: BankSet) -> [u32; MAX_BANKS / 32] {
    std::array::from_fn(|word| (set >> (32 * word)) as u32)
}
