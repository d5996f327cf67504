//! Writing fields of the event vector.

use heddle_port::Events;

/// Sets the bits of `value` at bit `lsb` of `events`; the field must lie in one 32-bit word.
#[inline]
pub fn set_bits(events: &mut Events, lsb: usize, value: u32) {
    debug_assert!(value == 0 || lsb % 32 + (32 - value.leading_zeros() as usize) <= 32);
    events[lsb / 32] |= value << (lsb % 32);
}
