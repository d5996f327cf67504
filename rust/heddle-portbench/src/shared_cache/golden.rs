//! What memory must hold, changed as accesses are performed: a block a CTA slot of shared memory, and a piece of
//! global and of local memory.

use heddle_port::memory::{MemPerformed, MemRequest, MemResponse};

use super::{LaneData, floats};

/// Bytes of a CTA slot's block.
pub const BLOCK: usize = 1 << 17;
/// Where the pieces of global and local memory begin.
pub const GLOBAL_BASE: u32 = 0x1000_0000;
pub const LOCAL_BASE: u32 = 0xF000_0000;
/// Number of the piece of global memory; those below it are the CTA slots', the last is that of local memory.
const GLOBAL_BLOCK: usize = 32;
const SHARED: u8 = 2;
const READ: u8 = 0;
const WRITE: u8 = 1;
const ATOMIC: u8 = 2;
const RELEASE: u8 = 3;

/// A request until its response.
struct Open {
    request: MemRequest,
    data: LaneData,
    unperformed: u32,
    expected: LaneData,
}

/// Golden memory and the requests under way, in order of their handshakes.
pub struct Golden {
    blocks: Vec<Vec<u8>>,
    open: Vec<Open>,
    /// Loaded words that were as expected.
    pub words_compared: u64,
    /// Lanes that took their place in the order.
    pub lanes_performed: u64,
}

/// The block of a request, and the address at which it begins.
fn block_of(request: &MemRequest) -> (usize, u32) {
    match request.space {
        0 => (GLOBAL_BLOCK, GLOBAL_BASE),
        1 => (33, LOCAL_BASE),
        _ => (usize::from(request.cta_slot), 0),
    }
}

/// Words that a lane accesses, and the bytes of each.
fn shape(request: &MemRequest) -> (usize, usize) {
    let bytes = 1usize << request.size_log2;
    (bytes.div_ceil(4), bytes.min(4))
}

/// The result of an atomic operation of the RTL's code on `bytes` bytes.
fn atomic(code: u8, bytes: usize, old: u64, operand: u64, swap: u64) -> u64 {
    let mask = u64::MAX >> (64 - 8 * bytes);
    let (old, operand) = (old & mask, operand & mask);
    let signed = |x: u64| if bytes == 8 { x as i64 } else { i64::from(x as u32 as i32) };
    let new = match code {
        0 => old.wrapping_add(operand),
        1 => old.min(operand),
        2 => old.max(operand),
        3 => old & operand,
        4 => old | operand,
        5 => old ^ operand,
        6 => operand,
        7 => {
            if old == operand {
                swap
            } else {
                old
            }
        }
        8 => {
            if old >= operand {
                0
            } else {
                old + 1
            }
        }
        9 => {
            if old == 0 || old > operand {
                operand
            } else {
                old - 1
            }
        }
        10 => signed(old).min(signed(operand)) as u64,
        11 => signed(old).max(signed(operand)) as u64,
        _ => floats::sum(code, bytes, old, operand),
    };
    new & mask
}

impl Default for Golden {
    fn default() -> Self {
        Self { blocks: vec![vec![0; BLOCK]; 34], open: Vec::new(), words_compared: 0, lanes_performed: 0 }
    }
}

impl Golden {
    /// A request is taken.
    pub fn accept(&mut self, request: &MemRequest, data: &LaneData) {
        self.open.push(Open {
            request: *request,
            data: *data,
            unperformed: request.mask,
            expected: [0; 128],
        });
    }

    /// A kernel has ended: shared and local memory are zero for the next one.
    pub fn next_kernel(&mut self) {
        for (number, block) in self.blocks.iter_mut().enumerate() {
            if number != GLOBAL_BLOCK {
                block.fill(0);
            }
        }
    }

    /// Whether a request of the CTA slot is under way.
    #[must_use]
    pub fn is_busy(&self, cta_slot: u8) -> bool {
        self.open.iter().any(|o| o.request.space == SHARED && o.request.cta_slot == cta_slot)
    }

    /// Whether the CTA slot has been told to end and has not answered yet.
    #[must_use]
    pub fn is_ending(&self, cta_slot: u8) -> bool {
        self.open.iter().any(|o| o.request.kind == RELEASE && o.request.cta_slot == cta_slot)
    }

    /// Whether the tag is in use.
    #[must_use]
    pub fn has_tag(&self, tag: u16) -> bool {
        self.open.iter().any(|o| o.request.tag == tag)
    }

    /// Lanes take their place in the order of accesses.
    ///
    /// # Errors
    /// Lanes that were not waiting for it, or that overtake an older access to the same bytes.
    pub fn perform(&mut self, event: &MemPerformed) -> Result<(), String> {
        let Some(at) = self.open.iter().position(|o| o.request.tag == event.tag) else {
            return Err(format!("performed T{}, which is not under way", event.tag));
        };
        if event.mask == 0 || event.mask & !self.open[at].unperformed != 0 {
            return Err(format!("performed lanes {:#010x} of T{} again or none", event.mask, event.tag));
        }
        self.check_order(at, event.mask)?;
        let open = &mut self.open[at];
        open.unperformed &= !event.mask;
        self.lanes_performed += u64::from(event.mask.count_ones());
        let (number, base) = block_of(&open.request);
        let block = &mut self.blocks[number];
        let (words, bytes) = shape(&open.request);
        for lane in (0..32).filter(|lane| event.mask >> lane & 1 != 0) {
            let address = (open.request.address[lane] - base) as usize;
            let old: Vec<u32> = (0..words)
                .map(|w| {
                    let mut word = [0; 4];
                    word[..bytes].copy_from_slice(&block[address + 4 * w..address + 4 * w + bytes]);
                    u32::from_le_bytes(word)
                })
                .collect();
            open.expected[4 * lane..4 * lane + words].copy_from_slice(&old);
            let given = &open.data[4 * lane..4 * lane + 4];
            let new: Vec<u32> = match open.request.kind {
                WRITE => given[..words].to_vec(),
                // A global atomic is carried out beyond the cache, which answers what it found there.
                ATOMIC if open.request.space == SHARED => {
                    let join = |w: &[u32]| u64::from(w[0]) | u64::from(*w.get(1).unwrap_or(&0)) << 32;
                    let size = 1 << open.request.size_log2;
                    let code = open.request.atomic;
                    let result = atomic(code, size, join(&old), join(&given[..2]), join(&given[2..]));
                    vec![result as u32, (result >> 32) as u32]
                }
                _ => continue,
            };
            for (w, word) in new.iter().enumerate().take(words) {
                let first = address + 4 * w;
                block[first..first + bytes].copy_from_slice(&word.to_le_bytes()[..bytes]);
            }
        }
        Ok(())
    }

    /// No older access to the same bytes may still be open if one of the two writes.
    fn check_order(&self, at: usize, mask: u32) -> Result<(), String> {
        let this = &self.open[at].request;
        let lanes = |mask: u32| (0..32usize).filter(move |lane| mask >> lane & 1 != 0);
        for older in &self.open[..at] {
            let other = &older.request;
            if block_of(other) != block_of(this) || (other.kind == READ && this.kind == READ) {
                continue;
            }
            for a in lanes(mask).map(|lane| this.address[lane]) {
                for b in lanes(older.unperformed).map(|lane| other.address[lane]) {
                    if a < b + (1 << other.size_log2) && b < a + (1 << this.size_log2) {
                        return Err(format!("T{} overtakes T{} at offset {a:#x}", this.tag, other.tag));
                    }
                }
            }
        }
        Ok(())
    }

    /// A response: all lanes are performed and the data are right. Tells a CTA slot that has ended.
    ///
    /// # Errors
    /// A response that was not due, or a wrong value.
    pub fn respond(&mut self, response: &MemResponse, data: &LaneData) -> Result<Option<u8>, String> {
        let Some(at) = self.open.iter().position(|o| o.request.tag == response.tag) else {
            return Err(format!("an answer to T{}, which is not under way", response.tag));
        };
        let open = self.open.remove(at);
        let request = &open.request;
        if response.part != request.part {
            return Err(format!(
                "T{} is answered as part {}, sent as part {}",
                request.tag, response.part, request.part
            ));
        }
        if open.unperformed != 0 || response.mask != request.mask {
            return Err(format!(
                "an answer to lanes {:#010x} of T{}, {:#010x} asked, {:#010x} not performed",
                response.mask, request.tag, request.mask, open.unperformed
            ));
        }
        if response.store != (request.kind == WRITE) {
            return Err(format!(
                "T{} is answered as a {}",
                request.tag,
                if response.store { "store" } else { "load" }
            ));
        }
        match request.kind {
            RELEASE => {
                self.blocks[usize::from(request.cta_slot)].fill(0);
                return Ok(Some(request.cta_slot));
            }
            WRITE => return Ok(None),
            _ => {}
        }
        let (words, _) = shape(request);
        for lane in (0..32).filter(|lane| request.mask >> lane & 1 != 0) {
            for w in 0..words {
                let (expected, actual) = (open.expected[4 * lane + w], data[4 * lane + w]);
                self.words_compared += 1;
                if expected != actual {
                    return Err(format!(
                        "T{} lane {lane} offset {:#x} word {w}: expected {expected:#010x}, actual {actual:#010x}",
                        request.tag, request.address[lane]
                    ));
                }
            }
        }
        Ok(None)
    }

    /// Whether everything has been answered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }
}
