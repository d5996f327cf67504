//! Structs of the port in the word buffers of a verilated model.

use heddle_port::PortStruct;
use heddle_port::bits::{get_bits, put_bits};

/// 32-bit words of a number of bits.
pub(crate) const fn words(bits: usize) -> usize {
    bits.div_ceil(32)
}

/// Writes a struct whose first field is its valid; without valid only that bit.
#[inline]
pub(crate) fn put_slot<T: PortStruct>(value: &T, valid: bool, words: &mut [u32], slot: usize) {
    if valid {
        value.put(words, slot * T::BITS);
    } else {
        put_bits(words, slot * T::BITS + T::BITS - 1, 1, 0);
    }
}

/// Reads a struct whose first field is its valid; without valid it is the default.
#[inline]
pub(crate) fn get_slot<T: PortStruct + Default>(words: &[u32], slot: usize) -> T {
    if get_bits(words, slot * T::BITS + T::BITS - 1, 1) != 0 {
        T::get(words, slot * T::BITS)
    } else {
        T::default()
    }
}

/// Negates the first `bits` bits.
pub(crate) fn negate(words: &mut [u32], bits: usize) {
    words[..bits / 32].iter_mut().for_each(|word| *word = !*word);
    words[bits / 32] ^= (1 << (bits % 32)) - 1;
}

/// Sets or clears `bits` bits from bit `from` on.
pub(crate) fn set(words: &mut [u32], from: usize, bits: usize, value: bool) {
    for bit in from..from + bits {
        heddle_port::bits::put_bits(words, bit, 1, u32::from(value));
    }
}
