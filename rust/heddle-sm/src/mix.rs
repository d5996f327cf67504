//! Numbers as one.

/// Numbers to one that says all of them, but for chance.
pub fn mix<const N: usize>(numbers: [u32; N]) -> u64 {
    numbers.iter().fold(0x9E37_79B9_7F4A_7C15, |hash: u64, &number| {
        let mut x = (hash ^ u64::from(number)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x ^= x >> 29;
        x = x.wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ x >> 32
    })
}
