//! Where the instructions of a program lie in memory, for the instruction cache.

use heddle_config::InstructionCache as Keys;
use heddle_isa::{Executable, Pc};
use heddle_mem::{CODE_SPACE, Fetched, MemorySystem};
use heddle_port::{LINE_BYTES, MemoryPort, NUM_WARPS};

use crate::fetch::Brought;

/// Bytes between the starts of two programs.
const PROGRAM_BYTES: u32 = 1 << 16;

/// Byte addresses of the instructions of a program.
#[derive(Debug, Clone)]
pub struct Code {
    addresses: Vec<u32>,
    /// Where a fetch of the instruction begins: at the prefetch before it, where there is one.
    begins: Vec<u32>,
    /// By warp slot: the instruction whose prefetch, in the line before, was there already.
    passed: [Option<Pc>; NUM_WARPS],
}

impl Code {
    /// The program as it was prepared for a design; a start of its own, chosen by a hash of its name.
    pub fn new(keys: &Keys, executable: &Executable) -> Self {
        let program = &executable.program;
        let mut begins = vec![false; program.instrs.len()];
        for pc in &executable.prefetches {
            if let Some(begins) = begins.get_mut(pc.index()) {
                *begins = true;
            }
        }
        let (start, mut prefetches) = (start(&program.name), 0);
        let places = (0..).zip(begins).map(|(index, begins)| {
            let before = start + keys.offset(index, prefetches);
            prefetches += u32::from(begins);
            let at = start + keys.offset(index, prefetches);
            (at, if begins { before } else { at })
        });
        let (addresses, begins) = places.unzip();
        Self { addresses, begins, passed: [None; NUM_WARPS] }
    }

    /// Warp slot `w` fetches up to `width` instructions of one line from `pc` on; past the end nothing is asked for. A
    /// prefetch that begins in the line before comes first.
    pub fn bring<P: MemoryPort>(
        &mut self,
        memory: &mut MemorySystem<P>,
        w: usize,
        pc: Pc,
        width: u32,
    ) -> Brought {
        let rest = self.addresses.get(pc.index()..).unwrap_or_default();
        let Some(&first) = rest.first() else { return Brought::Instructions(width) };
        let line = |address: u32| address / LINE_BYTES as u32;
        let before = self.begins.get(pc.index()).filter(|&&begin| line(begin) != line(first));
        let before = before.filter(|_| self.passed[w] != Some(pc));
        for address in before.into_iter().chain([&first]) {
            match memory.fetch(w as u8, *address) {
                Fetched::Waits => return Brought::Waits,
                Fetched::Refused => return Brought::Instructions(0),
                Fetched::Hit => self.passed[w] = Some(pc),
            }
        }
        self.passed[w] = None;
        let here = rest.iter().take(width as usize).take_while(|at| line(**at) == line(first));
        Brought::Instructions(here.count() as u32)
    }
}

/// FNV-1a of the name, as one of the starts that there is room for.
fn start(name: &str) -> u32 {
    let hash =
        name.bytes().fold(0x811C_9DC5u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    let starts = (CODE_SPACE.end - CODE_SPACE.start) / PROGRAM_BYTES;
    CODE_SPACE.start + (hash % starts) * PROGRAM_BYTES
}

#[cfg(test)]
mod tests {
    use super::{PROGRAM_BYTES, start};
    use heddle_mem::CODE_SPACE;

    #[test]
    fn programs_start_at_places_of_their_own() {
        let starts = ["saxpy", "gemm", "bfs"].map(start);
        assert!(starts.iter().all(|at| CODE_SPACE.contains(at) && at % PROGRAM_BYTES == 0), "{starts:?}");
        assert!(starts[0] != starts[1] && starts[1] != starts[2] && starts[0] != starts[2], "{starts:?}");
    }
}
