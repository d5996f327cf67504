//! Global memory of one machine: regions in a 32-bit physical address space.
//!
//! Each machine owns one; it is a plain container that knows bounds and which bytes were written.

use bitvec::vec::BitVec;

/// First address given out; lower addresses are never valid, so that null pointers are caught.
const FIRST_ADDRESS: u32 = 0x1000_0000;
/// Regions begin at multiples of this and never touch, so that an overrun is seen.
const REGION_ALIGNMENT: u32 = 4096;
/// Addresses from here on are the windows of shared and local memory.
pub const LAST_GLOBAL_ADDRESS: u32 = 0xCFFF_FFFF;
/// Generic addresses of shared memory: this window plus the offset in the CTA's shared memory.
pub const SHARED_WINDOW: u32 = 0xE000_0000;
/// Generic addresses of local memory: this window plus the offset in the thread's local memory.
pub const LOCAL_WINDOW: u32 = 0xF000_0000;

/// An access that memory refuses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AccessError {
    /// Outside every region.
    #[error("address {address:#010x} ({bytes} bytes) is outside every buffer{nearest}")]
    OutOfBounds {
        /// First byte.
        address: u64,
        /// Size of the access.
        bytes: u32,
        /// Description of the nearest region below, or empty.
        nearest: String,
    },
    /// Not a multiple of the access size.
    #[error("address {address:#010x} is not aligned to the access size of {bytes} bytes")]
    Misaligned {
        /// First byte.
        address: u64,
        /// Size of the access.
        bytes: u32,
    },
    /// No room left in the address space.
    #[error("a buffer of {bytes} bytes does not fit the 32-bit physical address space")]
    Full {
        /// Size asked for.
        bytes: u64,
    },
}

/// One allocated buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// Name for messages.
    pub name: String,
    /// First address.
    pub start: u32,
    /// Contents.
    pub data: Vec<u8>,
    written: BitVec,
}

impl Region {
    /// Whether byte `offset` was ever written.
    #[must_use]
    pub fn is_written(&self, offset: usize) -> bool {
        self.written.get(offset).is_some_and(|b| *b)
    }
}

/// Regions by ascending address.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeviceMemory {
    regions: Vec<Region>,
}

impl DeviceMemory {
    /// Memory without regions.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Allocates `bytes` bytes, not yet written, and returns the address.
    ///
    /// # Errors
    /// [`AccessError::Full`].
    pub fn allocate(&mut self, name: &str, bytes: u32) -> Result<u32, AccessError> {
        let full = AccessError::Full { bytes: u64::from(bytes) };
        let after = match self.regions.last() {
            None => u64::from(FIRST_ADDRESS),
            Some(r) => u64::from(r.start) + r.data.len() as u64 + u64::from(REGION_ALIGNMENT),
        };
        let start = after.next_multiple_of(u64::from(REGION_ALIGNMENT));
        if start + u64::from(bytes) > u64::from(LAST_GLOBAL_ADDRESS) {
            return Err(full);
        }
        let start = u32::try_from(start).map_err(|_| full)?;
        self.regions.push(Region {
            name: name.to_owned(),
            start,
            data: vec![0; bytes as usize],
            written: BitVec::repeat(false, bytes as usize),
        });
        Ok(start)
    }

    /// All regions, ascending.
    #[must_use]
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    fn find(&self, address: u64, bytes: u32) -> Result<(usize, usize), AccessError> {
        let index = self.regions.partition_point(|r| u64::from(r.start) <= address);
        if let Some(region) = index.checked_sub(1).map(|i| &self.regions[i]) {
            let offset = address - u64::from(region.start);
            if offset + u64::from(bytes) <= region.data.len() as u64 {
                #[allow(clippy::cast_possible_truncation)]
                return Ok((index - 1, offset as usize));
            }
        }
        let nearest = index.checked_sub(1).map_or(String::new(), |i| {
            let r = &self.regions[i];
            format!("; '{}' is {:#010x}..{:#010x}", r.name, r.start, u64::from(r.start) + r.data.len() as u64)
        });
        Err(AccessError::OutOfBounds { address, bytes, nearest })
    }

    fn aligned(address: u64, bytes: u32) -> Result<(), AccessError> {
        if address.is_multiple_of(u64::from(bytes)) {
            Ok(())
        } else {
            Err(AccessError::Misaligned { address, bytes })
        }
    }

    /// Loads 1, 2, 4 or 8 bytes, little endian.
    ///
    /// # Errors
    /// Out of bounds or misaligned.
    pub fn load(&self, address: u64, bytes: u32) -> Result<u64, AccessError> {
        Self::aligned(address, bytes)?;
        let (region, offset) = self.find(address, bytes)?;
        let mut word = [0; 8];
        let n = bytes as usize;
        word[..n].copy_from_slice(&self.regions[region].data[offset..offset + n]);
        Ok(u64::from_le_bytes(word))
    }

    /// Stores the low 1, 2, 4 or 8 bytes of `value`, little endian.
    ///
    /// # Errors
    /// Out of bounds or misaligned.
    pub fn store(&mut self, address: u64, bytes: u32, value: u64) -> Result<(), AccessError> {
        Self::aligned(address, bytes)?;
        let (region, offset) = self.find(address, bytes)?;
        let n = bytes as usize;
        let region = &mut self.regions[region];
        region.data[offset..offset + n].copy_from_slice(&value.to_le_bytes()[..n]);
        region.written[offset..offset + n].fill(true);
        Ok(())
    }

    /// Whether all bytes of an access were written before.
    ///
    /// # Errors
    /// Out of bounds.
    pub fn is_written(&self, address: u64, bytes: u32) -> Result<bool, AccessError> {
        let (region, offset) = self.find(address, bytes)?;
        Ok(self.regions[region].written[offset..offset + bytes as usize].all())
    }

    /// Copies bytes in from the host.
    ///
    /// # Errors
    /// Out of bounds.
    pub fn write_bytes(&mut self, address: u32, bytes: &[u8]) -> Result<(), AccessError> {
        let len = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        let (region, offset) = self.find(u64::from(address), len)?;
        let region = &mut self.regions[region];
        region.data[offset..offset + bytes.len()].copy_from_slice(bytes);
        region.written[offset..offset + bytes.len()].fill(true);
        Ok(())
    }

    /// Bytes for the host.
    ///
    /// # Errors
    /// Out of bounds.
    pub fn read_bytes(&self, address: u32, len: u32) -> Result<&[u8], AccessError> {
        let (region, offset) = self.find(u64::from(address), len)?;
        Ok(&self.regions[region].data[offset..offset + len as usize])
    }
}
