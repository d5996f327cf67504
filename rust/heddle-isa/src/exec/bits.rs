//! Bit fields, funnel shifts, byte permutation.

/// `bfind`: position of the most significant 1 (of the most significant non-sign bit when signed), as
/// a position or as the shift that brings it to bit 31; all ones where there is none.
#[inline(always)]
pub(super) fn find32(signed: bool, shift_amount: bool, a: u32) -> u32 {
    let a = if signed && (a as i32) < 0 { !a } else { a };
    if a == 0 {
        u32::MAX
    } else if shift_amount {
        a.leading_zeros()
    } else {
        31 - a.leading_zeros()
    }
}

/// `bfind` of 64 bits.
#[inline(always)]
pub(super) fn find64(signed: bool, shift_amount: bool, a: u64) -> u32 {
    let a = if signed && (a as i64) < 0 { !a } else { a };
    if a == 0 {
        u32::MAX
    } else if shift_amount {
        a.leading_zeros()
    } else {
        63 - a.leading_zeros()
    }
}

/// `shf.l`: the high word of `{high, low} << n`.
#[inline(always)]
pub(super) fn funnel_left(wrap: bool, low: u32, high: u32, n: u32) -> u32 {
    let n = if wrap { n & 31 } else { n.min(32) };
    let both = u64::from(high) << 32 | u64::from(low);
    ((both << n) >> 32) as u32
}

/// `shf.r`: the low word of `{high, low} >> n`.
#[inline(always)]
pub(super) fn funnel_right(wrap: bool, low: u32, high: u32, n: u32) -> u32 {
    let n = if wrap { n & 31 } else { n.min(32) };
    let both = u64::from(high) << 32 | u64::from(low);
    (both >> n) as u32
}

/// `bfe` of 64 bits: `len` bits from `pos`, both modulo 256, filled with the field's sign bit.
#[inline(always)]
pub(super) fn extract64(signed: bool, a: u64, pos: u32, len: u32) -> u64 {
    extract(signed, 64, a, pos, len)
}

/// `bfe` of 32 bits.
#[inline(always)]
pub(super) fn extract32(signed: bool, a: u32, pos: u32, len: u32) -> u32 {
    extract(signed, 32, u64::from(a), pos, len) as u32
}

#[inline(always)]
fn extract(signed: bool, width: u32, a: u64, pos: u32, len: u32) -> u64 {
    let (pos, len) = (pos & 0xff, len & 0xff);
    if len == 0 {
        return 0;
    }
    let top = (pos + len - 1).min(width - 1);
    let fill = signed && a >> top & 1 != 0;
    let shifted = if pos >= width { 0 } else { a >> pos };
    let taken = len.min(width.saturating_sub(pos));
    let mask = if taken >= 64 { u64::MAX } else { (1 << taken) - 1 };
    (shifted & mask) | if fill { !mask } else { 0 }
}

/// `bfi` of 64 bits: the low `len` bits of `a` replace those of `b` from `pos`.
#[inline(always)]
pub(super) fn insert64(a: u64, b: u64, pos: u32, len: u32) -> u64 {
    let (pos, len) = (pos & 0xff, len & 0xff);
    if pos >= 64 {
        return b;
    }
    let mask = if len >= 64 { u64::MAX } else { (1 << len) - 1 } << pos;
    (b & !mask) | (a << pos & mask)
}

/// `bfi` of 32 bits.
#[inline(always)]
pub(super) fn insert32(a: u32, b: u32, pos: u32, len: u32) -> u32 {
    if pos & 0xff >= 32 {
        return b;
    }
    insert64(u64::from(a), u64::from(b), pos, len) as u32
}

/// `prmt`, default mode: four selected bytes of `{b, a}`; bit 3 of a selector replicates the sign.
#[inline(always)]
pub(super) fn permute(a: u32, b: u32, selector: u32) -> u32 {
    let bytes = u64::from(b) << 32 | u64::from(a);
    let mut result = 0;
    for i in 0..4 {
        let control = selector >> (4 * i) & 0xf;
        let byte = (bytes >> (8 * (control & 7))) as u8;
        let byte = if control & 8 != 0 { ((byte as i8) >> 7) as u8 } else { byte };
        result |= u32::from(byte) << (8 * i);
    }
    result
}
