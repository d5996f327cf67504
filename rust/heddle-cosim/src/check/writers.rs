//! Who wrote each word of global memory last, for reports.

use std::collections::HashMap;
use std::sync::Arc;

use heddle_isa::{DeviceMemory, Pc, Program, Space};
use heddle_mem::kind;
use heddle_sm::PerformedEvent;

use super::Checker;
use super::memory::space_of;

/// Bytes of a word.
const WORD: u64 = 4;

/// Who wrote a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Writer {
    /// Host code, before a launch.
    Host { launch: u32 },
    /// A warp.
    Warp { launch: u32, cycle: u64, cta: u64, slot: u8, pc: Pc },
}

/// The last writer of each word, over the launches of a run.
#[derive(Debug, Default)]
pub struct Writers {
    /// By launch.
    programs: Vec<Arc<Program>>,
    /// By address of the word.
    words: HashMap<u64, Writer>,
    /// Memory as the last launch left it.
    left: DeviceMemory,
}

impl Writers {
    /// The next launch, of `program`, begins with `memory`: what is not as the last one left it the host has written.
    pub fn begins(&mut self, program: Arc<Program>, memory: &DeviceMemory) {
        let launch = u32::try_from(self.programs.len()).unwrap_or(u32::MAX);
        self.programs.push(program);
        for (index, region) in memory.regions().iter().enumerate() {
            let before = self.left.regions().get(index).map_or(&[][..], |region| &region.data);
            for (number, word) in region.data.chunks(WORD as usize).enumerate() {
                let at = number * WORD as usize;
                if before.get(at..at + word.len()) != Some(word) {
                    self.words.insert(u64::from(region.start) + at as u64, Writer::Host { launch });
                }
            }
        }
    }

    /// The launch has ended and leaves `memory`.
    pub fn ended(&mut self, memory: &DeviceMemory) {
        self.left = memory.clone();
    }

    /// An access was performed in `cycle` of the run.
    fn performed(&mut self, cycle: u64, event: &PerformedEvent<'_>) {
        if !matches!(event.kind, kind::WRITE | kind::ATOMIC) {
            return;
        }
        let launch = u32::try_from(self.programs.len()).unwrap_or(u32::MAX).saturating_sub(1);
        let writer = Writer::Warp { launch, cycle, cta: event.cta, slot: event.slot.0, pc: event.pc };
        for lane in event.lanes.lanes().filter(|&lane| space_of(event, lane) == Space::Global) {
            let first = event.addresses[lane];
            let end = first.saturating_add(u64::from(event.bytes.max(1)));
            for word in (first / WORD * WORD..end).step_by(WORD as usize) {
                self.words.insert(word, writer);
            }
        }
    }

    /// Who wrote the word at `address` last, in words.
    #[must_use]
    pub fn last(&self, address: u64) -> String {
        let word = address / WORD * WORD;
        match self.words.get(&word) {
            None => format!("nobody wrote the word at {word:#x}"),
            Some(Writer::Host { launch }) => {
                format!("the word at {word:#x} was last written by the host, before launch {launch}")
            }
            Some(Writer::Warp { launch, cycle, cta, slot, pc }) => {
                let place = self.programs.get(*launch as usize).map(|program| {
                    let loc = program.instrs.get(pc.index()).map(|i| i.loc).unwrap_or_default();
                    format!("{}: {}", program.source.spelt(loc), program.source_line(*pc))
                });
                format!(
                    "the word at {word:#x} was last written in launch {launch}, cycle {cycle}, by CTA {cta}, warp slot \
                     {slot}, pc {pc}, {}",
                    place.unwrap_or_default()
                )
            }
        }
    }
}

impl Checker<'_> {
    /// Who writes which word is to be known.
    pub fn note_writers(&mut self, writers: Option<Box<Writers>>) {
        self.writers = writers;
    }

    /// Who wrote which word, where that was to be known.
    pub fn take_writers(&mut self) -> Option<Box<Writers>> {
        self.writers.take()
    }

    /// Notes an access that was performed.
    pub(super) fn note_written(&mut self, event: &PerformedEvent<'_>) {
        let cycle = self.cycle(event.cycle);
        if let Some(writers) = &mut self.writers {
            writers.performed(cycle, event);
        }
    }
}

#[cfg(test)]
mod tests {
    use heddle_kernel::AllocOptions;
    use heddle_port::{Cycle, LaneMask, NUM_DESTINATIONS, NUM_LANES, Tag, WarpSlot};

    use super::*;

    fn memory(words: &[u32]) -> (u32, DeviceMemory) {
        let mut memory = DeviceMemory::new();
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let start = memory.allocate("a", bytes.len() as u32).expect("there is room");
        memory.write_bytes(start, &bytes).expect("inside");
        (start, memory)
    }

    fn access(writers: &mut Writers, kind: u8, bytes: u32, shared: u32, address: u64) {
        writers.performed(
            40,
            &PerformedEvent {
                cycle: Cycle(7),
                tag: Tag(1),
                slot: WarpSlot(3),
                cta: 9,
                warp_in_cta: 0,
                pc: Pc(0),
                kind,
                bytes,
                lanes: LaneMask(1),
                shared: LaneMask(shared),
                local: LaneMask::NONE,
                addresses: &[address; NUM_LANES],
                texels: None,
                stored_elements: 1,
                stored: &[[0; NUM_LANES]; 4],
                loaded: &[[0; NUM_LANES]; NUM_DESTINATIONS],
            },
        );
    }

    #[test]
    fn the_last_writer_of_a_word_is_named() {
        let (start, before) = memory(&[1, 2, 3, 4]);
        let at = |word: u64| u64::from(start) + 4 * word;
        let mut writers = Writers::default();
        let text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry e()\n{\nret;\n}\n";
        let compiled = heddle_kernel::compile("e.ptx", text, None, AllocOptions::default());
        let program = Arc::new(compiled.expect("it compiles").allocated);
        writers.begins(Arc::clone(&program), &before);
        assert!(writers.last(at(0)).ends_with("was last written by the host, before launch 0"));
        access(&mut writers, kind::WRITE, 8, 0, at(1));
        access(&mut writers, kind::READ, 4, 0, at(3));
        access(&mut writers, kind::WRITE, 4, 1, at(3));
        for word in [1, 2] {
            let text = writers.last(at(word) + 2);
            assert!(text.contains("in launch 0, cycle 40, by CTA 9, warp slot 3, pc 0, e.ptx:6:"), "{text}");
            assert!(text.ends_with(": ret;"), "{text}");
        }
        assert!(writers.last(at(3)).contains("by the host"), "a load and shared memory write no word of it");
        writers.ended(&before);
        let (_, after) = memory(&[1, 7, 3, 4]);
        writers.begins(program, &after);
        assert!(writers.last(at(1)).ends_with("by the host, before launch 1"));
        assert!(writers.last(at(2)).contains("by CTA 9"), "the host left it");
        assert!(writers.last(at(4)).starts_with("nobody wrote"));
    }
}
