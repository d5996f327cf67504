//! Digests of traces.

use std::fmt::Write as _;
use std::path::Path;

use heddle_trace::{Command, Reader, Source, TraceError, read_list};
use sha2::{Digest, Sha256};

/// Warp instructions of a list of traces, and the SHA-256 of what they execute: grid, block, registers and shared
/// memory of each kernel; by block and warp the program counter, lanes, opcode, registers, width, addresses and
/// immediate of each instruction. How the files write it makes no difference.
pub fn digest(list: &Path) -> Result<(u64, String), TraceError> {
    let (mut count, mut hash) = (0, Sha256::new());
    for command in read_list(list)? {
        let Command::Kernel(path) = command else { continue };
        let mut reader = Reader::open(&Source::from(&path))?;
        let h = reader.header.clone();
        let head = format!("{} {:?} {:?} {} {}\n", h.kernel, h.grid, h.block, h.registers, h.shared_bytes);
        hash.update(head);
        loop {
            let mut text = String::new();
            let cta = reader.next_cta(|warp, _, i| {
                count += 1;
                let _ = writeln!(
                    text,
                    "{warp} {:x} {:x} {:?} {} {:?} {} {:x?} {:?}",
                    i.pc, i.mask, i.destination, i.opcode, i.sources, i.width, i.addresses, i.immediate
                );
                Ok(())
            })?;
            if cta.is_none() {
                break;
            }
            hash.update(text + "end\n");
        }
    }
    let hex = hash.finalize().iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    });
    Ok((count, hex))
}
