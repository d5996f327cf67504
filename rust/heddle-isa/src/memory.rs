//! Global memory of one machine: regions in a 32-bit physical address space.
//!
//! Each machine owns one; it is a plain container that knows bounds and which bytes were written.

mod region;

pub use region::Region;

/// First address that [`DeviceMemory::allocate`] gives out.
const FIRST_ADDRESS: u32 = 0x1000_0000;
/// Lowest address of any region; below, null pointers with an offset are caught.
const LOWEST_ADDRESS: u32 = 0x0010_0000;
/// Regions begin at multiples of this and never touch, so that an overrun is seen.
const REGION_ALIGNMENT: u32 = 1 << PAGE_BITS;
/// log2 of the bytes of a page, the unit of the index from addresses to regions.
const PAGE_BITS: u32 = 12;
/// Addresses from here on are the windows of shared and local memory.
pub const LAST_GLOBAL_ADDRESS: u32 = 0xCFFF_FFFF;
/// Address of the workspace of a cooperative launch.
pub const GRID_WORKSPACE: u32 = 0x0600_0000;
/// Generic addresses of constant memory: this window plus the offset in the constant bank, where the
/// module has a copy of the bank in global memory.
pub const CONSTANT_WINDOW: u32 = 0x0700_0000;
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
    /// A kernel writes what only the host may write.
    #[error("address {address:#010x} ({bytes} bytes) lies in '{buffer}', which is read-only for kernels")]
    ReadOnly {
        /// First byte.
        address: u64,
        /// Size of the access.
        bytes: u32,
        /// The region.
        buffer: String,
    },
    /// No room left in the address space.
    #[error("a buffer of {bytes} bytes does not fit the 32-bit physical address space")]
    Full {
        /// Size asked for.
        bytes: u64,
    },
    /// A region that was asked for at a place that is taken, not allowed or not aligned to 4096.
    #[error("a buffer of {bytes} bytes cannot be placed at {address:#010x}")]
    Place {
        /// First byte.
        address: u64,
        /// Size asked for.
        bytes: u64,
    },
}

/// Regions by ascending address.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeviceMemory {
    regions: Vec<Region>,
    /// By page: 1 + index of the region that begins in or covers the page, 0 for none.
    pages: Vec<u32>,
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
        let after = self
            .regions
            .last()
            .map_or(0, |r| u64::from(r.start) + r.data.len() as u64 + u64::from(REGION_ALIGNMENT));
        let start = after.max(u64::from(FIRST_ADDRESS)).next_multiple_of(u64::from(REGION_ALIGNMENT));
        if start + u64::from(bytes) > u64::from(LAST_GLOBAL_ADDRESS) {
            return Err(full);
        }
        let start = u32::try_from(start).map_err(|_| full)?;
        self.regions.push(Region::new(name, start, bytes));
        self.index_pages();
        Ok(start)
    }

    /// Allocates `bytes` bytes, not yet written, at `address`.
    ///
    /// # Errors
    /// [`AccessError::Place`] when the address is not a multiple of 4096, in a window, too low, or
    /// shares a page with another region.
    pub fn allocate_at(&mut self, name: &str, address: u32, bytes: u32) -> Result<(), AccessError> {
        let end = |start: u32, len: u64| (u64::from(start) + len.max(1)).next_multiple_of(4096);
        let last = end(address, u64::from(bytes));
        let overlaps = self
            .regions
            .iter()
            .any(|r| u64::from(r.start) < last && u64::from(address) < end(r.start, r.data.len() as u64));
        if overlaps
            || !address.is_multiple_of(REGION_ALIGNMENT)
            || address < LOWEST_ADDRESS
            || last > u64::from(LAST_GLOBAL_ADDRESS) + 1
        {
            return Err(AccessError::Place { address: u64::from(address), bytes: u64::from(bytes) });
        }
        let index = self.regions.partition_point(|r| r.start < address);
        self.regions.insert(index, Region::new(name, address, bytes));
        self.index_pages();
        Ok(())
    }

    /// Refuses stores of kernels to the region that begins at `address`, if there is one; the host still
    /// writes it ([`DeviceMemory::write_bytes`]).
    pub fn protect(&mut self, address: u32) {
        if let Some(region) = self.regions.iter_mut().find(|r| r.start == address) {
            region.protect();
        }
    }

    fn index_pages(&mut self) {
        self.pages.clear();
        for (index, region) in (1..).zip(&self.regions) {
            let first = (region.start >> PAGE_BITS) as usize;
            let pages = region.data.len().div_ceil(REGION_ALIGNMENT as usize).max(1);
            self.pages.resize(first, 0);
            self.pages.resize(first + pages, index);
        }
    }

    /// All regions, ascending.
    #[must_use]
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// Number of the region that an access at `address` may lie in, by its page.
    #[inline]
    #[must_use]
    pub fn region_at(&self, address: u64) -> Option<usize> {
        let page = usize::try_from(address >> PAGE_BITS).ok()?;
        (*self.pages.get(page)? as usize).checked_sub(1)
    }

    /// A region to write to, by its number.
    #[inline]
    pub fn region_mut(&mut self, index: usize) -> Option<&mut Region> {
        self.regions.get_mut(index)
    }

    fn find(&self, address: u64, bytes: u32) -> Result<(usize, usize), AccessError> {
        if let Some(index) = self.region_at(address)
            && let Some(offset) = self.regions[index].offset(address, bytes)
        {
            return Ok((index, offset));
        }
        Err(self.out_of_bounds(address, bytes))
    }

    /// The error of an access that is in no region.
    #[cold]
    fn out_of_bounds(&self, address: u64, bytes: u32) -> AccessError {
        let below = self.regions.iter().rev().find(|r| u64::from(r.start) <= address);
        let nearest = below.map_or(String::new(), |r| {
            format!("; '{}' is {:#010x}..{:#010x}", r.name, r.start, u64::from(r.start) + r.data.len() as u64)
        });
        AccessError::OutOfBounds { address, bytes, nearest }
    }

    #[cold]
    fn refused(&self, address: u64, bytes: u32) -> AccessError {
        if bytes != 0 && !address.is_multiple_of(u64::from(bytes)) {
            AccessError::Misaligned { address, bytes }
        } else {
            self.out_of_bounds(address, bytes)
        }
    }

    /// Loads 1, 2, 4 or 8 bytes, little endian.
    ///
    /// # Errors
    /// Out of bounds or misaligned.
    pub fn load(&self, address: u64, bytes: u32) -> Result<u64, AccessError> {
        Ok(self.load_checked(address, bytes)?.0)
    }

    /// As [`DeviceMemory::load`], and whether all bytes were written before.
    ///
    /// # Errors
    /// Out of bounds or misaligned.
    #[inline]
    pub fn load_checked(&self, address: u64, bytes: u32) -> Result<(u64, bool), AccessError> {
        self.region_at(address)
            .and_then(|index| {
                let region = &self.regions[index];
                region.read(region.offset(address, bytes)?, bytes)
            })
            .ok_or_else(|| self.refused(address, bytes))
    }

    /// Stores the low 1, 2, 4 or 8 bytes of `value`, little endian.
    ///
    /// # Errors
    /// Out of bounds, misaligned, or in a protected region.
    #[inline]
    pub fn store(&mut self, address: u64, bytes: u32, value: u64) -> Result<(), AccessError> {
        let stored = self.region_at(address).and_then(|index| {
            let region = &mut self.regions[index];
            region.write(region.offset(address, bytes)?, bytes, value)
        });
        stored.ok_or_else(|| self.refused_store(address, bytes))
    }

    #[cold]
    fn refused_store(&self, address: u64, bytes: u32) -> AccessError {
        match self.find(address, bytes) {
            Ok((index, _)) if self.regions[index].is_read_only() => {
                AccessError::ReadOnly { address, bytes, buffer: self.regions[index].name.clone() }
            }
            _ => self.refused(address, bytes),
        }
    }

    /// Whether all bytes of an access were written before.
    ///
    /// # Errors
    /// Out of bounds.
    pub fn is_written(&self, address: u64, bytes: u32) -> Result<bool, AccessError> {
        let (region, offset) = self.find(address, bytes)?;
        let region = &self.regions[region];
        Ok((offset..offset + bytes as usize).all(|at| region.is_written(at)))
    }

    /// Copies bytes in from the host.
    ///
    /// # Errors
    /// Out of bounds.
    pub fn write_bytes(&mut self, address: u32, bytes: &[u8]) -> Result<(), AccessError> {
        if bytes.is_empty() {
            return Ok(());
        }
        let len = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        let (region, offset) = self.find(u64::from(address), len)?;
        let region = &mut self.regions[region];
        region.write_bytes(offset, bytes);
        Ok(())
    }

    /// Bytes for the host.
    ///
    /// # Errors
    /// Out of bounds.
    pub fn read_bytes(&self, address: u32, len: u32) -> Result<&[u8], AccessError> {
        if len == 0 {
            return Ok(&[]);
        }
        let (region, offset) = self.find(u64::from(address), len)?;
        Ok(&self.regions[region].data[offset..offset + len as usize])
    }
}
