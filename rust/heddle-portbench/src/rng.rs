//! A small generator of random numbers (splitmix64), the same on every machine.

/// The generator; equal seeds give equal numbers.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// A generator that begins at `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed ^ 0x6865_6464_6c65_0001)
    }

    /// 64 random bits.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// 32 random bits.
    pub fn word(&mut self) -> u32 {
        (self.draw() >> 32) as u32
    }

    /// A number below `n`; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.draw()) * n as u128) >> 64) as usize
    }

    /// True `n` times out of 256.
    pub fn chance(&mut self, n: u32) -> bool {
        (self.draw() & 0xff) < u64::from(n)
    }

    /// True `n` times out of 100.
    pub fn percent(&mut self, n: usize) -> bool {
        self.below(100) < n
    }

    /// One of `items`; none if there is none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }
}
