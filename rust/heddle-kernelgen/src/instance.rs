//! Buffers and launch of a generated kernel.

use heddle_isa::{DeviceMemory, KernelLaunch};
use heddle_workloads::buffers::{Buffer, Host};
use heddle_workloads::params::ParamBlock;
use heddle_workloads::random::SplitMix64;
use heddle_workloads::{CheckFailure, Checked, Instance, Launch, WorkloadError};

use crate::forms::{ATOMICS, Class};
use crate::{GenOptions, GeneratedKernel};

/// Words that each thread has for itself in global and in local memory; a power of two.
pub(crate) const SLOTS: u32 = 8;
/// Input words of a thread: one vector load.
pub(crate) const INPUTS: u32 = 4;

const HOST: Host = Host { workload: GeneratedKernel::ENTRY };

/// Where a thread stores its variables at the end.
pub(crate) struct Layout {
    /// Bytes of a thread, a multiple of 8.
    pub(crate) record: u32,
    /// Offset of each output.
    pub(crate) offsets: Vec<u32>,
}

impl Layout {
    pub(crate) fn of(kernel: &GeneratedKernel) -> Self {
        let (mut end, mut offsets) = (0_u32, Vec::new());
        for var in &kernel.code.outputs {
            let bytes: u32 = match var.class {
                Class::Int | Class::Float => 4,
                Class::Wide => 8,
            };
            let offset = end.next_multiple_of(bytes);
            offsets.push(offset);
            end = offset + bytes;
        }
        Self { record: end.next_multiple_of(8), offsets }
    }
}

impl GeneratedKernel {
    /// A run of the kernel on one machine.
    ///
    /// Its [`Instance::check`] only counts the words of the outputs: there is no reference.
    #[must_use]
    pub fn instance(&self) -> Box<dyn Instance> {
        Box::new(Run {
            seed: self.seed,
            options: self.options.clone(),
            record: Layout::of(self).record,
            buffers: None,
            launched: false,
        })
    }
}

struct Run {
    seed: u64,
    options: GenOptions,
    record: u32,
    buffers: Option<[Buffer; 5]>,
    launched: bool,
}

impl Run {
    fn threads(&self) -> usize {
        self.options.threads as usize * self.options.ctas as usize
    }

    /// Random words; one in four is small, so that shifts and trip counts vary.
    fn words(&self, stream: u64, n: usize) -> Vec<u32> {
        let mut random = SplitMix64::new(self.seed, stream);
        (0..n)
            .map(|_| {
                let word = random.next_u32();
                if random.below(4) == 0 { word >> 24 } else { word }
            })
            .collect()
    }

    /// Counters of the grid and of each CTA.
    fn counters(&self) -> usize {
        ATOMICS.len() * (1 + self.options.ctas as usize)
    }

    fn output_words(&self) -> usize {
        (self.threads() * self.record as usize / 4).max(1)
    }
}

impl Instance for Run {
    fn set_up(&mut self, memory: &mut DeviceMemory) -> Result<(), WorkloadError> {
        let threads = self.threads();
        let input = self.words(10, threads * INPUTS as usize);
        let slots = self.words(11, threads * SLOTS as usize);
        let mut counters: Vec<_> = ATOMICS.iter().map(|a| a.begin).collect();
        counters.resize(self.counters(), 0);
        self.buffers = Some([
            HOST.upload(memory, "input", &input)?,
            // Threads that exit early store nothing, so the host gives the outputs a value.
            HOST.upload(memory, "output", &vec![0_u32; self.output_words()])?,
            HOST.upload(memory, "slots", &slots)?,
            HOST.upload(memory, "counters", &counters)?,
            HOST.allocate::<u32>(memory, "exchange", threads)?,
        ]);
        Ok(())
    }

    fn next_launch(&mut self, _memory: &mut DeviceMemory) -> Result<Option<Launch>, WorkloadError> {
        let buffers = self.buffers.ok_or_else(|| HOST.not_set_up())?;
        if std::mem::replace(&mut self.launched, true) {
            return Ok(None);
        }
        let params = buffers.iter().fold(ParamBlock::new(), |block, b| block.pointer(b.address));
        Ok(Some(Launch {
            entry: GeneratedKernel::ENTRY.into(),
            launch: KernelLaunch {
                grid: [self.options.ctas, 1, 1],
                block: [self.options.threads, 1, 1],
                params: params.finish(),
                ..KernelLaunch::default()
            },
        }))
    }

    fn check(&self, memory: &DeviceMemory) -> Result<Checked, CheckFailure> {
        let [_, output, ..] = self.buffers.ok_or_else(|| HOST.unchecked())?;
        let words = self.output_words() as u64;
        memory
            .read_bytes(output.address, u32::try_from(4 * words).unwrap_or(u32::MAX))
            .map_err(|source| CheckFailure::Memory { workload: HOST.workload.into(), source })?;
        Ok(Checked { words, exact: true, bound: None })
    }
}
