//! Functional shared and local memory.

use heddle_isa::AccessError;
use heddle_port::NUM_LANES;

/// Shared memory by CTA slot and local memory by warp slot and lane.
#[derive(Debug, Clone)]
pub struct Spaces {
    shared_bytes: usize,
    local_bytes: usize,
    shared: Vec<u8>,
    local: Vec<u8>,
}

/// Loads 1, 2, 4 or 8 bytes, little endian.
#[inline]
fn load(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

impl Spaces {
    pub fn new(cta_slots: usize, shared_bytes: u32, warp_slots: usize, local_bytes: u32) -> Self {
        let (shared_bytes, local_bytes) = (shared_bytes as usize, local_bytes as usize);
        Self {
            shared_bytes,
            local_bytes,
            shared: vec![0; cta_slots * shared_bytes],
            local: vec![0; warp_slots * NUM_LANES * local_bytes],
        }
    }

    /// The shared memory of a CTA slot.
    #[inline]
    pub fn shared(&self, cta_slot: usize) -> &[u8] {
        &self.shared[cta_slot * self.shared_bytes..(cta_slot + 1) * self.shared_bytes]
    }

    /// Zeroes the shared memory of a CTA slot.
    pub fn clear_shared(&mut self, cta_slot: usize) {
        let first = cta_slot * self.shared_bytes;
        self.shared[first..first + self.shared_bytes].fill(0);
    }

    /// Zeroes the local memory of a warp slot.
    pub fn clear_local(&mut self, warp: usize) {
        let size = NUM_LANES * self.local_bytes;
        self.local[warp * size..(warp + 1) * size].fill(0);
    }

    fn range(
        size: usize,
        index: usize,
        address: u64,
        bytes: u32,
    ) -> Result<std::ops::Range<usize>, AccessError> {
        if !address.is_multiple_of(u64::from(bytes)) {
            return Err(AccessError::Misaligned { address, bytes });
        }
        let end = address.checked_add(u64::from(bytes)).filter(|&e| e <= size as u64);
        if end.is_none() {
            let nearest = format!("; there are {size} bytes");
            return Err(AccessError::OutOfBounds { address, bytes, nearest });
        }
        let first = index * size + address as usize;
        Ok(first..first + bytes as usize)
    }

    #[inline]
    pub fn load_shared(&self, cta_slot: usize, address: u64, bytes: u32) -> Result<u64, AccessError> {
        Ok(load(&self.shared[Self::range(self.shared_bytes, cta_slot, address, bytes)?]))
    }

    #[inline]
    pub fn store_shared(
        &mut self,
        cta_slot: usize,
        address: u64,
        bytes: u32,
        value: u64,
    ) -> Result<(), AccessError> {
        let range = Self::range(self.shared_bytes, cta_slot, address, bytes)?;
        self.shared[range].copy_from_slice(&value.to_le_bytes()[..bytes as usize]);
        Ok(())
    }

    #[inline]
    pub fn load_local(&self, warp: usize, lane: usize, address: u64, bytes: u32) -> Result<u64, AccessError> {
        let range = Self::range(self.local_bytes, warp * NUM_LANES + lane, address, bytes)?;
        Ok(load(&self.local[range]))
    }

    #[inline]
    pub fn store_local(
        &mut self,
        warp: usize,
        lane: usize,
        address: u64,
        bytes: u32,
        value: u64,
    ) -> Result<(), AccessError> {
        let range = Self::range(self.local_bytes, warp * NUM_LANES + lane, address, bytes)?;
        self.local[range].copy_from_slice(&value.to_le_bytes()[..bytes as usize]);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Spaces;
    use heddle_isa::AccessError;

    #[test]
    fn slots_and_lanes_are_apart() {
        let mut spaces = Spaces::new(2, 64, 2, 16);
        spaces.store_shared(1, 60, 4, 7).expect("inside");
        assert_eq!(spaces.load_shared(1, 60, 4), Ok(7));
        assert_eq!(spaces.load_shared(0, 60, 4), Ok(0));
        spaces.store_local(1, 31, 8, 8, u64::MAX).expect("inside");
        assert_eq!(spaces.load_local(1, 31, 12, 4), Ok(0xFFFF_FFFF));
        assert_eq!(spaces.load_local(1, 30, 8, 8), Ok(0));
        spaces.clear_local(1);
        assert_eq!(spaces.load_local(1, 31, 8, 8), Ok(0));
    }

    #[test]
    fn accesses_outside_or_misaligned_are_refused() {
        let spaces = Spaces::new(1, 64, 1, 0);
        assert!(matches!(spaces.load_shared(0, 64, 4), Err(AccessError::OutOfBounds { address: 64, .. })));
        assert!(matches!(spaces.load_shared(0, 2, 4), Err(AccessError::Misaligned { .. })));
        assert!(matches!(spaces.load_local(0, 0, 0, 1), Err(AccessError::OutOfBounds { .. })));
        assert!(matches!(spaces.load_shared(0, u64::MAX - 3, 4), Err(AccessError::OutOfBounds { .. })));
    }
}
