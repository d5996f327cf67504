//! Numbers as fields of a line.

/// A hexadecimal number, with or without `0x`; nothing but digits.
#[inline]
#[must_use]
pub fn hex(text: &str) -> Option<u64> {
    let digits = match text.as_bytes() {
        [b'0', b'x' | b'X', digits @ ..] => digits,
        digits => digits,
    };
    number::<16>(digits)
}

/// A decimal number without a sign.
#[inline]
#[must_use]
pub fn decimal(text: &str) -> Option<u64> {
    number::<10>(text.as_bytes())
}

/// A number of at least one digit that fits.
#[inline]
fn number<const RADIX: u64>(digits: &[u8]) -> Option<u64> {
    let (mut value, mut highest) = (0u64, 0);
    // So many digits always fit.
    let (ahead, rest) = digits.split_at(digits.len().min(16));
    for &byte in ahead {
        let digit = DIGITS[usize::from(byte)];
        highest = highest.max(digit);
        value = value.wrapping_mul(RADIX).wrapping_add(digit.into());
    }
    for &byte in rest {
        let digit = DIGITS[usize::from(byte)];
        highest = highest.max(digit);
        value = value.checked_mul(RADIX)?.checked_add(digit.into())?;
    }
    (u64::from(highest) < RADIX && !digits.is_empty()).then_some(value)
}

/// By ASCII character: its value as a hexadecimal digit; more than any has where it is none.
static DIGITS: [u8; 256] = {
    let mut digits = [u8::MAX; 256];
    let mut value = 0;
    while value < 16 {
        let character = b"0123456789abcdef"[value];
        digits[character as usize] = value as u8;
        digits[character.to_ascii_uppercase() as usize] = value as u8;
        value += 1;
    }
    digits
};

/// A decimal number with an optional minus sign.
#[must_use]
pub fn signed(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.bytes().all(|b| b.is_ascii_digit()) { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::{decimal, hex, signed};

    #[test]
    fn numbers_are_those_that_fit_and_nothing_but_digits() {
        let max = u64::MAX;
        for (text, number) in [
            ("0", Some(0)),
            ("0000000000000000000000000000000018", Some(18)),
            (&max.to_string(), Some(max)),
            ("18446744073709551616", None),
            ("99999999999999999999999", None),
            ("12a", None),
            ("1234567890123456789a", None),
            ("", None),
            ("+1", None),
            ("-1", None),
        ] {
            assert_eq!(decimal(text), number, "{text}");
        }
        for (text, number) in [
            ("fF", Some(255)),
            ("0XffffFFFFffffFFFF", Some(max)),
            ("0x0ffffFFFFffffFFFF", Some(max)),
            ("10000000000000000", None),
            ("fffffffffffffffff", None),
            ("0x", None),
            ("0xg", None),
            ("x1", None),
        ] {
            assert_eq!(hex(text), number, "{text}");
        }
        assert_eq!([signed("-9"), signed("9"), signed("--9")], [Some(-9), Some(9), None]);
    }
}
