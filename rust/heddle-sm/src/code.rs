//! Where the instructions of a program lie in memory, for the instruction cache.

use heddle_config::InstructionCache as Keys;
use heddle_isa::{Executable, Pc};
use heddle_mem::{CODE_SPACE, Fetched, MemorySystem};
use heddle_port::{LINE_BYTES, MemoryPort};

use crate::fetch::Brought;

/// Bytes of the bit-vector before the first instruction of a register-interval: one bit for each of 256 registers
/// (LTRF, section 3.2).
const VECTOR_BYTES: u32 = 32;
/// Bytes between the starts of two programs.
const PROGRAM_BYTES: u32 = 1 << 16;

/// Byte addresses of the instructions of a program.
#[derive(Debug, Clone)]
pub struct Code {
    addresses: Vec<u32>,
}

impl Code {
    /// The program as it was prepared for a design; a start of its own, chosen by a hash of its name.
    pub fn new(keys: &Keys, executable: &Executable) -> Self {
        let program = &executable.program;
        let mut vectors = vec![0; program.instrs.len()];
        for interval in executable.intervals.iter().flat_map(|all| &all.intervals) {
            if let Some(bytes) = vectors.get_mut(interval.header.index()) {
                *bytes = VECTOR_BYTES;
            }
        }
        let mut before = start(&program.name);
        let addresses = (0..).zip(vectors).map(|(index, vector)| {
            before += vector;
            before + keys.offset(index)
        });
        Self { addresses: addresses.collect() }
    }

    /// Warp slot `w` fetches up to `width` instructions of one line from `pc` on; past the end nothing is asked for.
    pub fn bring<P: MemoryPort>(
        &self,
        memory: &mut MemorySystem<P>,
        w: usize,
        pc: Pc,
        width: u32,
    ) -> Brought {
        let rest = self.addresses.get(pc.index()..).unwrap_or_default();
        let Some(&first) = rest.first() else { return Brought::Instructions(width) };
        match memory.fetch(w as u8, first) {
            Fetched::Waits => Brought::Waits,
            Fetched::Refused => Brought::Instructions(0),
            Fetched::Hit => {
                let line = |address: &u32| address / LINE_BYTES as u32;
                let here = rest.iter().take(width as usize).take_while(|at| line(at) == line(&first));
                Brought::Instructions(here.count() as u32)
            }
        }
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
