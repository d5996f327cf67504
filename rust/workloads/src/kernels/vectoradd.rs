//! Element-wise sum of two vectors (CUDA samples: `vectorAdd`).
//!
//! The reference is exact: PTX `add.rn.f32` is the IEEE sum, and so is Rust's `+`.

use heddle_isa::{DeviceMemory, KernelLaunch};

use super::{arg, ptx};
use crate::buffers::{Buffer, Host};
use crate::params::ParamBlock;
use crate::published::Published;
use crate::random::SplitMix64;
use crate::{CheckFailure, Checked, Entry, Instance, Launch, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "vectoradd" };
const BLOCK: usize = 256;

/// The workload.
struct VectorAdd;

inventory::submit! { Entry(&VectorAdd) }

/// Elements; not a multiple of the block, so that the guard of the last block is exercised.
fn elements(size: Size) -> usize {
    match size {
        Size::Smoke => 12_001,
        Size::Small => 360_001,
        Size::Paper => 8_000_001,
    }
}

impl Workload for VectorAdd {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "sum of two vectors: streaming, no reuse"
    }

    fn suite(&self) -> &'static str {
        "cuda-samples"
    }

    fn published(&self) -> &'static [Published] {
        &[]
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("vectoradd")
    }

    fn size_text(&self, size: Size) -> String {
        format!("{} elements", elements(size))
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let mut random = SplitMix64::new(seed, 0);
        let mut vector = || -> Vec<f32> { (0..elements(size)).map(|_| random.f32_in(-7.3, 3.1)).collect() };
        Ok(Box::new(Run { a: vector(), b: vector(), buffers: None, launched: false }))
    }
}

struct Run {
    a: Vec<f32>,
    b: Vec<f32>,
    buffers: Option<[Buffer; 3]>,
    launched: bool,
}

impl Instance for Run {
    fn set_up(&mut self, memory: &mut DeviceMemory) -> Result<(), WorkloadError> {
        self.buffers = Some([
            HOST.upload(memory, "a", &self.a)?,
            HOST.upload(memory, "b", &self.b)?,
            HOST.allocate::<f32>(memory, "c", self.a.len())?,
        ]);
        Ok(())
    }

    fn next_launch(&mut self, _memory: &mut DeviceMemory) -> Result<Option<Launch>, WorkloadError> {
        let [a, b, c] = self.buffers.ok_or_else(|| HOST.not_set_up())?;
        if std::mem::replace(&mut self.launched, true) {
            return Ok(None);
        }
        Ok(Some(Launch {
            entry: "vectoradd".into(),
            launch: KernelLaunch {
                grid: [arg(self.a.len().div_ceil(BLOCK)), 1, 1],
                block: [arg(BLOCK), 1, 1],
                params: ParamBlock::new()
                    .pointer(a.address)
                    .pointer(b.address)
                    .pointer(c.address)
                    .u32(arg(self.a.len()))
                    .finish(),
                ..KernelLaunch::default()
            },
        }))
    }

    fn check(&self, memory: &DeviceMemory) -> Result<Checked, CheckFailure> {
        let [_, _, c] = self.buffers.ok_or_else(|| HOST.unchecked())?;
        HOST.expect(memory, c, &reference(&self.a, &self.b)).map(Checked::exact)
    }
}

fn reference(a: &[f32], b: &[f32]) -> Vec<f32> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_adds_and_rounds_to_nearest_even() {
        let ulp = f32::EPSILON;
        assert_eq!(
            reference(&[1.5, 1.0, 1.0 + ulp], &[2.25, ulp / 2.0, ulp / 2.0]),
            [3.75, 1.0, 1.0 + 2.0 * ulp]
        );
    }

    #[test]
    fn last_block_is_partial_in_every_size() {
        for size in Size::ALL {
            assert_ne!(elements(size) % BLOCK, 0);
        }
    }
}
