//! Rotating priority, as in `rtl/common/rr_arbiter.sv`.

/// The first set bit of `requests` at or after bit `pointer`, wrapping around.
///
/// `requests` must not be 0.
#[inline]
#[must_use]
pub fn rotating_pick(requests: u32, pointer: u32) -> u32 {
    let above = requests & u32::MAX.checked_shl(pointer).unwrap_or(0);
    if above == 0 { requests } else { above }.trailing_zeros()
}

/// An arbiter of up to 32 requests: the one after the last winner comes first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rotating {
    pointer: u32,
}

impl Rotating {
    /// Grants one of `requests` and moves the pointer behind it; `None` if there is no request.
    #[inline]
    pub fn grant(&mut self, requests: u32) -> Option<u32> {
        let index = self.pick(requests)?;
        self.serve(index);
        Some(index)
    }

    /// The one of `requests` whose turn it is, without a grant.
    #[inline]
    #[must_use]
    pub fn pick(&self, requests: u32) -> Option<u32> {
        (requests != 0).then(|| rotating_pick(requests, self.pointer))
    }

    /// Moves the pointer behind request `index`, which was granted.
    #[inline]
    pub fn serve(&mut self, index: u32) {
        self.pointer = index + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::Rotating;

    #[test]
    fn each_of_all_requesters_wins_once_a_round() {
        let mut arbiter = Rotating::default();
        let winners: Vec<_> = (0..6).filter_map(|_| arbiter.grant(0b1011)).collect();
        assert_eq!(winners, [0, 1, 3, 0, 1, 3]);
    }

    #[test]
    fn pointer_wraps_after_the_last_bit() {
        let mut arbiter = Rotating::default();
        assert_eq!(arbiter.grant(1 << 31), Some(31));
        assert_eq!(arbiter.grant(0x8000_0001), Some(0));
        assert_eq!(arbiter.grant(0), None);
        assert_eq!(arbiter.grant(0x8000_0001), Some(31));
    }
}
