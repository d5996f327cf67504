//! From the 64-bit addresses of a trace to the 32-bit address space of the model.
//!
//! Global memory: a page of 64 KiB whose addresses the model has itself keeps them; the others get frames in the
//! order in which the trace first touches them. So the place of an address depends on the trace alone, not on
//! timing or design. Kernels of one list share
//! the map. Shared memory: offsets. Local memory: pieces of 128 bytes of a thread's local memory are
//! numbered in the order of first touch; all threads share the numbering.

use heddle_isa::Space;
use heddle_isa::memory::{LAST_GLOBAL_ADDRESS, LOCAL_WINDOW, SHARED_WINDOW};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::header::Header;

/// log2 of the bytes of a page.
const PAGE_BITS: u32 = 16;
/// Frame of the first page.
const FIRST_FRAME: u32 = 0x1000_0000 >> PAGE_BITS;
/// Frame of the last page.
const LAST_FRAME: u32 = LAST_GLOBAL_ADDRESS >> PAGE_BITS;
/// log2 of the bytes of a piece of local memory.
const PIECE_BITS: u32 = 7;
/// Bytes of the windows of shared and local memory among generic addresses.
pub const WINDOW: u64 = 1 << 24;

/// Where addresses of a trace lie in the model.
#[derive(Debug, Clone, Default)]
pub struct AddressMap {
    /// By page of the trace: frame of the model.
    pages: FxHashMap<u64, u32>,
    /// Frames in use.
    used: FxHashSet<u32>,
    /// All frames below it are in use.
    full: u32,
    /// By piece of local memory: its place.
    pieces: FxHashMap<u32, u32>,
    /// End of the highest access to shared memory.
    shared_bytes: u32,
}

impl AddressMap {
    /// Forgets shared and local memory, which belong to one kernel.
    pub fn begin_kernel(&mut self) {
        self.pieces.clear();
        self.shared_bytes = 0;
    }

    /// Bytes of shared memory up to the end of the highest access.
    #[must_use]
    pub fn shared_bytes(&self) -> u32 {
        self.shared_bytes
    }

    /// Pages of global memory touched, 64 KiB each.
    #[must_use]
    pub fn pages(&self) -> usize {
        self.pages.len()
    }

    /// Bytes of local memory of a thread that were touched, in whole pieces.
    #[must_use]
    pub fn local_bytes(&self) -> u32 {
        (self.pieces.len() as u32) << PIECE_BITS
    }

    /// Gives the addresses of an access of so many bytes places, as far as they have none.
    ///
    /// # Errors
    /// The first address that can have none, and why: no place, one beyond the shared memory of the block, or none for
    /// such an access.
    pub fn touch(
        &mut self,
        header: &Header,
        space: Space,
        addresses: &[u64],
        bytes: u8,
    ) -> Result<(), (u64, String)> {
        // The lanes of an access mostly share a page.
        let mut last = None;
        for &address in addresses {
            self.touch_one(header, space, (address, bytes), &mut last).map_err(|reason| (address, reason))?;
        }
        Ok(())
    }

    /// As [`Self::touch`], of one address; page `last` has a frame.
    fn touch_one(
        &mut self,
        header: &Header,
        space: Space,
        (address, bytes): (u64, u8),
        last: &mut Option<u64>,
    ) -> Result<(), String> {
        if !address.is_multiple_of(bytes.max(1).into()) {
            return Err(format!("an access of {bytes} bytes begins at a multiple of {bytes}"));
        }
        match locate(header, space, address)? {
            Place::Shared(offset) => {
                let end = offset + u32::from(bytes);
                let (own, reserved) = (header.shared_bytes, header.reserved_shared_bytes());
                if end > own + reserved {
                    let more =
                        if reserved > 0 { format!(" and {reserved} reserved ones") } else { String::new() };
                    return Err(format!(
                        "the access ends at byte {end} of shared memory; the block has {own}{more}, by -shmem"
                    ));
                }
                self.shared_bytes = self.shared_bytes.max(end);
            }
            Place::Local(offset) => {
                let next = self.pieces.len() as u32;
                self.pieces.entry(offset >> PIECE_BITS).or_insert(next);
            }
            Place::Global => {
                let page = address >> PAGE_BITS;
                if last.replace(page) == Some(page) || self.pages.contains_key(&page) {
                    return Ok(());
                }
                let most = (LAST_FRAME - FIRST_FRAME + 1) as usize;
                if self.pages.len() >= most {
                    return Err(format!("the model has room for {most} pages of 64 KiB, and all are in use"));
                }
                let frame = self.frame(page);
                self.pages.insert(page, frame);
            }
        }
        Ok(())
    }

    /// A frame that is free, for a page that has none; there is one.
    fn frame(&mut self, page: u64) -> u32 {
        let own = u32::try_from(page).ok().filter(|own| (FIRST_FRAME..=LAST_FRAME).contains(own));
        if let Some(own) = own.filter(|own| !self.used.contains(own)) {
            self.used.insert(own);
            return own;
        }
        self.full = self.full.max(FIRST_FRAME);
        while self.used.contains(&self.full) {
            self.full += 1;
        }
        self.used.insert(self.full);
        self.full
    }

    /// The places of the addresses of an access in the model, as the SM wants them: offsets for shared and local space, and
    /// for generic space addresses in a window. `None` where one was never touched.
    #[must_use]
    pub fn places(&self, header: &Header, space: Space, addresses: &[u64]) -> Option<Vec<u32>> {
        let mut last = None;
        addresses.iter().map(|&address| self.place(header, space, address, &mut last)).collect()
    }

    /// As [`Self::places`], of one address; `last` is a page and its frame.
    fn place(
        &self,
        header: &Header,
        space: Space,
        address: u64,
        last: &mut Option<(u64, u32)>,
    ) -> Option<u32> {
        let generic = space == Space::Generic;
        match locate(header, space, address).ok()? {
            Place::Shared(offset) => Some(if generic { SHARED_WINDOW + offset } else { offset }),
            Place::Local(offset) => {
                let piece = self.pieces.get(&(offset >> PIECE_BITS))?;
                let offset = piece << PIECE_BITS | offset & ((1 << PIECE_BITS) - 1);
                Some(if generic { LOCAL_WINDOW + offset } else { offset })
            }
            Place::Global => {
                let page = address >> PAGE_BITS;
                let (_, frame) = match last.filter(|&(before, _)| before == page) {
                    Some(same) => same,
                    None => *last.insert((page, *self.pages.get(&page)?)),
                };
                Some(frame << PAGE_BITS | address as u32 & ((1 << PAGE_BITS) - 1))
            }
        }
    }
}

enum Place {
    Global,
    /// Offset in the CTA's shared memory.
    Shared(u32),
    /// Offset in the thread's local memory.
    Local(u32),
}

/// The offset of `address` in the window at `base`; 0 is no base.
fn in_window(base: u64, address: u64) -> Option<u32> {
    if base == 0 {
        return None;
    }
    address.checked_sub(base).filter(|offset| *offset < WINDOW).map(|offset| offset as u32)
}

/// Which memory an address of `space` means. An address of shared or local space is an offset, or generic.
fn locate(header: &Header, space: Space, address: u64) -> Result<Place, String> {
    let offset = |base: u64, name: &str| {
        in_window(base, address)
            .or_else(|| (address < WINDOW).then_some(address as u32))
            .ok_or_else(|| format!("it lies outside the 16 MiB of {name} memory"))
    };
    match space {
        Space::Shared => offset(header.shared_base, "shared").map(Place::Shared),
        Space::Local => offset(header.local_base, "local").map(Place::Local),
        Space::Generic => Ok(match in_window(header.shared_base, address) {
            Some(offset) => Place::Shared(offset),
            None => in_window(header.local_base, address).map_or(Place::Global, Place::Local),
        }),
        Space::Global | Space::Param | Space::Const => Ok(Place::Global),
    }
}
