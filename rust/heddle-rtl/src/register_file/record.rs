//! Records what goes through the port of a design, to be replayed into a model of it.

use heddle_port::{
    Done, Issue, MAX_PORT_WIDTH, NUM_LANES, NUM_SOURCES, Operands, PORT_VERSION, PortConfig, PortStruct,
    ResultWrite, Status, TAG_BITS,
};
use heddle_stimulus::{FORMAT, Group, Header, Port, StimulusError, Words, Writer};

use super::{CONFIG, ISSUE_READY, Layout, OPERANDS, RESET, RtlRegisterFile};
use crate::error::RtlError;
use crate::slots::get_slot;
use heddle_manifest::{Elaboration, Manifest};

/// Which operands of an accepted instruction mean something.
#[derive(Debug, Clone, Copy, Default)]
struct Wanted {
    sources: u8,
    lanes: u32,
}

/// A recording that goes on.
pub(super) struct Recorder {
    writer: Result<Writer, StimulusError>,
    layout: Layout,
    issue_slots: usize,
    /// Care bits that are always set: all but those of payloads.
    always: Vec<u32>,
    care: Vec<u32>,
    operand_care: Vec<u32>,
    /// Issue slots that were ready before the clock edge.
    ready: u32,
    /// By tag.
    wanted: Vec<Wanted>,
}

impl std::fmt::Debug for Recorder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recorder").field("layout", &self.layout).finish_non_exhaustive()
    }
}

impl Recorder {
    fn new(header: &Header, layout: Layout, issue_slots: usize) -> Result<Self, StimulusError> {
        let mut always = vec![0; header.words.output];
        for port in header.ports.iter().filter(|port| port.group == Group::Output) {
            set(&mut always, 32 * port.word, port.bits, true);
        }
        for slot in 0..issue_slots {
            set(&mut always, 32 * OPERANDS + slot * Operands::BITS, Operands::BITS - 1, false);
        }
        set(&mut always, 32 * layout.done, Done::BITS - 1, false);
        Ok(Self {
            writer: Ok(Writer::new(header)?),
            layout,
            issue_slots,
            care: always.clone(),
            always,
            operand_care: vec![0; header.words.bulk_output],
            ready: 0,
            wanted: vec![Wanted::default(); 1 << TAG_BITS],
        })
    }

    /// Adds a clock edge: the inputs before it and the outputs after it.
    pub(super) fn edge(&mut self, input: &[u32], results: &[u32], output: &[u32], operands: &[u32]) {
        if input[RESET] != 0 {
            for slot in (0..self.issue_slots).filter(|slot| self.ready >> slot & 1 != 0) {
                let issue: Issue = get_slot(&input[self.layout.issue..], slot);
                if issue.valid {
                    let wanted = Wanted { sources: issue.source_valid, lanes: issue.mask };
                    self.wanted[usize::from(issue.tag)] = wanted;
                }
            }
        }
        self.ready = output[ISSUE_READY];
        self.care.copy_from_slice(&self.always);
        self.operand_care.fill(0);
        for slot in 0..self.issue_slots {
            let out: Operands = get_slot(&output[OPERANDS..], slot);
            if out.valid {
                set(&mut self.care, 32 * OPERANDS + slot * Operands::BITS, Operands::BITS, true);
                self.want_operands(slot, self.wanted[usize::from(out.tag)]);
            }
        }
        if get_slot::<Done>(&output[self.layout.done..], 0).valid {
            set(&mut self.care, 32 * self.layout.done, Done::BITS, true);
        }
        let Ok(writer) = &mut self.writer else { return };
        let outputs = output.iter().zip(&self.care).chain(operands.iter().zip(&self.operand_care));
        let words = input.iter().chain(results).copied().chain(outputs.map(|(word, care)| word & care));
        if let Err(error) = writer.push(words.chain(self.care.iter().chain(&self.operand_care).copied())) {
            self.writer = Err(error);
        }
    }

    /// The operands in an output slot mean something in the sources and lanes of their instruction.
    fn want_operands(&mut self, slot: usize, wanted: Wanted) {
        let sources =
            self.operand_care.chunks_exact_mut(NUM_LANES).skip(slot * NUM_SOURCES).take(NUM_SOURCES);
        for (_, lanes) in sources.enumerate().filter(|(source, _)| wanted.sources >> source & 1 != 0) {
            for (_, care) in lanes.iter_mut().enumerate().filter(|(lane, _)| wanted.lanes >> lane & 1 != 0) {
                *care = u32::MAX;
            }
        }
    }
}

/// Sets or clears `bits` bits from bit `from` on.
fn set(words: &mut [u32], from: usize, bits: usize, value: bool) {
    for bit in from..from + bits {
        heddle_port::bits::put_bits(words, bit, 1, u32::from(value));
    }
}

impl RtlRegisterFile {
    /// Records every clock edge from now on, those of resets included. `manifest` and `elaboration` are those that the
    /// model was built from, `sources` is the hash of its RTL, `kernel` what will run.
    ///
    /// # Errors
    /// [`RtlError::NotRecorded`]: the design has a memory port. [`RtlError::Stimulus`].
    pub fn record(
        &mut self,
        manifest: &Manifest,
        elaboration: &Elaboration,
        sources: &str,
        kernel: &str,
    ) -> Result<(), RtlError> {
        if self.memory.is_some() {
            return Err(RtlError::NotRecorded { design: self.design.clone() });
        }
        let shape = self.layout.shape();
        let header = Header {
            format: FORMAT,
            port: PORT_VERSION,
            design: self.design.clone(),
            top: manifest.top.clone(),
            elaboration: elaboration.name.clone(),
            parameters: elaboration.parameters.clone(),
            generics: manifest.of_top(elaboration)?.into_iter().collect(),
            sources: sources.to_owned(),
            kernel: kernel.to_owned(),
            words: Words {
                input: shape.input,
                bulk_input: shape.bulk_input,
                output: shape.output,
                bulk_output: shape.bulk_output,
            },
            ports: self.ports(),
        };
        self.recorder = Some(Box::new(Recorder::new(&header, self.layout, self.widths.issue)?));
        Ok(())
    }

    /// Ends the recording, where there is one, and returns the bytes of its file.
    ///
    /// # Errors
    /// [`RtlError::Stimulus`].
    pub fn end_recording(&mut self) -> Result<Option<Vec<u8>>, RtlError> {
        let Some(recorder) = self.recorder.take() else { return Ok(None) };
        Ok(Some(recorder.writer.and_then(Writer::finish)?))
    }

    /// The ports and their places in the word buffers.
    fn ports(&self) -> Vec<Port> {
        let (layout, widths) = (&self.layout, self.widths);
        let port = |group| move |name: &str, word, bits| Port { name: name.to_owned(), group, word, bits };
        let (input, output) = (port(Group::Input), port(Group::Output));
        let lanes = 32 * NUM_LANES;
        vec![
            input("rst_ni", RESET, 1),
            input("config_i", CONFIG, PortConfig::BITS),
            input("issue_i", layout.issue, widths.issue * Issue::BITS),
            input("operands_ready_i", layout.operands_ready, widths.issue),
            input("result_i", layout.result, widths.result * ResultWrite::BITS),
            input("command_i", layout.command, heddle_port::Command::BITS),
            port(Group::BulkInput)("result_data_i", 0, widths.result * lanes),
            output("issue_ready_o", ISSUE_READY, widths.issue),
            output("operands_o", OPERANDS, widths.issue * Operands::BITS),
            output("result_ready_o", layout.result_ready, widths.result),
            output("command_ready_o", layout.command_ready, 1),
            output("done_o", layout.done, Done::BITS),
            output("status_o", layout.status, Status::BITS),
            output("events_o", layout.events, 32 * layout.event_words),
            port(Group::BulkOutput)("operand_data_o", 0, widths.issue * NUM_SOURCES * lanes),
        ]
    }
}

const _: () = assert!(MAX_PORT_WIDTH <= 32, "the ready bits of all slots are one word");
