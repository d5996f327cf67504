//! Writing fields of the event vector.

use heddle_port::Events;

/// Sets the bits of `value` from bit `lsb` of `events` on, across words.
#[inline]
pub fn set_bits(events: &mut Events, lsb: usize, value: u32) {
    heddle_port::set_bits(events, lsb, value.into());
}
