//! Sets of banks as bit masks.

use heddle_port::MAX_BANKS;

/// Most banks of a main register file.
pub const MOST_BANKS: usize = MAX_BANKS;
/// A set of banks.
pub type BankSet = u128;

/// The banks of a set, lowest first.
#[inline]
pub fn banks_of(set: BankSet) -> impl Iterator<Item = usize> {
    // Words are cheaper to count in than the whole set; most files have no bank in the upper one.
    let (mut low, mut high) = (set as u64, (set >> 64) as u64);
    std::iter::from_fn(move || {
        let (word, first) = if low == 0 { (&mut high, 64) } else { (&mut low, 0) };
        let bank = (*word != 0).then(|| first + word.trailing_zeros() as usize)?;
        *word &= *word - 1;
        Some(bank)
    })
}

/// The set in the words of the port's status.
#[inline]
#[must_use]
pub fn bank_words(set: BankSet) -> [u32; MAX_BANKS / 32] {
    std::array::from_fn(|word| (set >> (32 * word)) as u32)
}

#[cfg(test)]
mod tests {
    use super::{MOST_BANKS, banks_of};

    #[test]
    fn banks_are_listed_over_both_words() {
        for set in [0, 1, 1 << 63 | 1 << 64, 1 << 127, 1 << 127 | 0b1010, u128::MAX] {
            let expected = (0..MOST_BANKS).filter(|bank| set >> bank & 1 != 0);
            assert!(banks_of(set).eq(expected), "{set:#x}");
        }
    }
}
