//! Pointer chases: chains of loads of one thread that measure latencies.
//!
//! They are no workloads: nothing is computed, and their runs are told apart by where the links lie.

use heddle_isa::{DeviceMemory, KernelLaunch};

use crate::buffers::{Buffer, Host};
use crate::params::ParamBlock;
use crate::{CheckFailure, Checked, Instance, Launch, WorkloadError};

/// The PTX of both entries.
pub const PTX: &str = include_str!("../kernels/chase/chase.ptx");
/// Loads in the body of the loop that is measured.
pub const LOADS_A_ROUND: u32 = 16;
/// Bytes between two links of a ring in global memory: the rows in which they lie share a bank of DRAM in all
/// presets, so that each load closes the row of the one before.
const GLOBAL_STRIDE: u32 = 32 << 10;
const HOST: Host = Host { workload: "chase" };

/// Where the links of a chase lie, and which loads go before those that are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ring {
    /// In global memory, 32 KiB apart.
    Global {
        /// Links.
        links: u32,
        /// Loads that go past the L1.
        past: u32,
        /// Loads through the L1.
        warm: u32,
    },
    /// In shared memory, one in a line, in turn in columns of lines.
    Shared {
        /// Links.
        links: u32,
        /// Columns.
        columns: u32,
        /// Bytes from one column to the next.
        stride: u32,
        /// Loads before those that are measured.
        warm: u32,
    },
}

/// A chase with a length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chase {
    /// Where the links lie.
    pub ring: Ring,
    /// Measured loads: rounds of [`LOADS_A_ROUND`].
    pub rounds: u32,
}

impl Chase {
    /// Links followed, those before the measured ones too.
    fn steps(&self) -> u32 {
        let before = match self.ring {
            Ring::Global { past, warm, .. } => past + warm,
            Ring::Shared { warm, .. } => warm,
        };
        before + self.rounds * LOADS_A_ROUND
    }

    /// Number of the link at which the chase ends.
    fn last(&self) -> u32 {
        let (Ring::Global { links, .. } | Ring::Shared { links, .. }) = self.ring;
        self.steps() % links.max(1)
    }

    /// A run of it.
    #[must_use]
    pub fn instance(self) -> Box<dyn Instance> {
        Box::new(Run { chase: self, ring: None, end: None, launched: false })
    }
}

struct Run {
    chase: Chase,
    ring: Option<Buffer>,
    end: Option<Buffer>,
    launched: bool,
}

impl Instance for Run {
    fn set_up(&mut self, memory: &mut DeviceMemory) -> Result<(), WorkloadError> {
        if let Ring::Global { links, .. } = self.chase.ring {
            let words = (links * GLOBAL_STRIDE / 8) as usize;
            let ring = HOST.allocate::<u64>(memory, "ring", words)?;
            let at = |link: u32| ring.address + link % links.max(1) * GLOBAL_STRIDE;
            let mut values = vec![0u64; words];
            for link in 0..links {
                values[(link * GLOBAL_STRIDE / 8) as usize] = u64::from(at(link + 1));
            }
            HOST.write(memory, ring, &values)?;
            self.ring = Some(ring);
        }
        self.end = Some(HOST.allocate::<u64>(memory, "end", 1)?);
        Ok(())
    }

    fn next_launch(&mut self, _: &mut DeviceMemory) -> Result<Option<Launch>, WorkloadError> {
        let end = self.end.ok_or_else(|| HOST.not_set_up())?.address;
        if std::mem::replace(&mut self.launched, true) {
            return Ok(None);
        }
        let rounds = self.chase.rounds;
        let (entry, params, dynamic_shared_bytes) = match (self.chase.ring, self.ring) {
            (Ring::Global { past, warm, .. }, Some(ring)) => {
                let params = ParamBlock::new().pointer(ring.address).u32(past).u32(warm).u32(rounds);
                ("chase_global", params, 0)
            }
            (Ring::Shared { links, columns, stride, warm }, _) => {
                let params = ParamBlock::new().u32(links).u32(columns).u32(stride).u32(warm).u32(rounds);
                let lines = links.div_ceil(columns.max(1));
                ("chase_shared", params, columns.saturating_sub(1) * stride + lines * 128)
            }
            (Ring::Global { .. }, None) => return Err(HOST.not_set_up()),
        };
        Ok(Some(Launch {
            entry: entry.into(),
            launch: KernelLaunch {
                grid: [1, 1, 1],
                block: [1, 1, 1],
                params: params.pointer(end).finish(),
                dynamic_shared_bytes,
                ..KernelLaunch::default()
            },
        }))
    }

    fn check(&self, memory: &DeviceMemory) -> Result<Checked, CheckFailure> {
        let end = self.end.ok_or_else(|| HOST.unchecked())?;
        let last = self.chase.last();
        let expected = match (self.chase.ring, self.ring) {
            (Ring::Global { .. }, ring) => {
                let first = ring.ok_or_else(|| HOST.unchecked())?.address;
                u64::from(first + last * GLOBAL_STRIDE)
            }
            (Ring::Shared { columns, stride, .. }, _) => {
                let columns = columns.max(1);
                u64::from(last % columns * stride + last / columns * 128)
            }
        };
        HOST.expect(memory, end, &[expected]).map(Checked::exact)
    }
}

#[cfg(test)]
mod tests {
    use super::{Chase, Ring};

    #[test]
    fn a_chase_ends_where_its_steps_lead() {
        let ring = Ring::Global { links: 10, past: 3, warm: 4 };
        assert_eq!(Chase { ring, rounds: 2 }.last(), (3 + 4 + 32) % 10);
        let ring = Ring::Shared { links: 7, columns: 2, stride: 256, warm: 5 };
        assert_eq!(Chase { ring, rounds: 1 }.last(), 21 % 7);
    }
}
