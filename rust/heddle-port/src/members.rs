//! Sets as bit masks.

/// The members of a set, lowest first.
///
/// ```
/// assert!(heddle_port::members(0b1010_u32).eq([1, 3]));
/// ```
#[inline]
pub fn members(set: impl Into<u64>) -> impl Iterator<Item = usize> {
    let mut rest = set.into();
    std::iter::from_fn(move || {
        let member = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
        rest &= rest - 1;
        Some(member)
    })
}
