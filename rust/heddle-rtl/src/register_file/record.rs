//! Records what goes through the ports of a design, to be replayed into a model of it.

use heddle_port::{
    Done, Issue, LINE_WORDS, MAX_PORT_WIDTH, MemLowerRequest, MemLowerResponse, MemPerformed, MemRequest,
    MemResponse, NUM_LANES, NUM_SOURCES, Operands, PORT_VERSION, PortConfig, PortStruct, PortWidths,
    ResultWrite, Status, TAG_BITS,
};
use heddle_stimulus::{FORMAT, Group, Header, Port, StimulusError, Words, Writer};

use super::memory_care::MemoryCare;
use super::{CONFIG, ISSUE_READY, Layout, OPERAND_WORDS, OPERANDS, RESET, RtlRegisterFile};
use crate::error::RtlError;
use crate::memory_side::{LANE_WORDS, MemoryLayout};
use crate::slots::{get_slot, set};
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
    /// Outputs before the clock edge.
    before: Vec<u32>,
    /// By tag.
    wanted: Vec<Wanted>,
    /// Of a design with a memory port.
    memory: Option<MemoryCare>,
}

impl std::fmt::Debug for Recorder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recorder").field("layout", &self.layout).finish_non_exhaustive()
    }
}

impl Recorder {
    fn new(header: &Header, layout: Layout, widths: PortWidths) -> Result<Self, StimulusError> {
        let issue_slots = widths.issue;
        let mut always = vec![0; header.words.output];
        for port in header.ports.iter().filter(|port| port.group == Group::Output) {
            set(&mut always, 32 * port.word, port.bits, true);
        }
        for slot in 0..issue_slots {
            set(&mut always, 32 * OPERANDS + slot * Operands::BITS, Operands::BITS - 1, false);
        }
        set(&mut always, 32 * layout.done, Done::BITS - 1, false);
        for (word, bits) in layout.memory.iter().flat_map(MemoryLayout::payloads) {
            set(&mut always, 32 * word, bits - 1, false);
        }
        Ok(Self {
            writer: Ok(Writer::new(header)?),
            layout,
            issue_slots,
            care: always.clone(),
            always,
            operand_care: vec![0; header.words.bulk_output],
            before: vec![0; header.words.output],
            wanted: vec![Wanted::default(); 1 << TAG_BITS],
            memory: layout.memory.map(|memory| MemoryCare::new(memory, widths.result)),
        })
    }

    /// Adds a clock edge: the inputs before it and the outputs after it.
    pub(super) fn edge(&mut self, input: &[u32], bulk_input: &[u32], output: &[u32], bulk_output: &[u32]) {
        let runs = input[RESET] != 0;
        if runs {
            for slot in (0..self.issue_slots).filter(|slot| self.before[ISSUE_READY] >> slot & 1 != 0) {
                let issue: Issue = get_slot(&input[self.layout.issue..], slot);
                if issue.valid {
                    let wanted = Wanted { sources: issue.source_valid, lanes: issue.mask };
                    self.wanted[usize::from(issue.tag)] = wanted;
                }
            }
        }
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
        if let Some(memory) = &mut self.memory {
            if runs {
                memory.taken(&self.layout, input, &self.before);
            } else {
                memory.reset();
            }
            memory.care(&self.layout, output, &mut self.care, &mut self.operand_care);
        }
        self.before.copy_from_slice(output);
        let Ok(writer) = &mut self.writer else { return };
        let outputs = output.iter().zip(&self.care).chain(bulk_output.iter().zip(&self.operand_care));
        let words = input.iter().chain(bulk_input).copied().chain(outputs.map(|(word, care)| word & care));
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

impl RtlRegisterFile {
    /// Records every clock edge from now on, those of resets included. `manifest` and `elaboration` are those that the
    /// model was built from, `sources` is the hash of its RTL, `kernel` what will run.
    ///
    /// # Errors
    /// [`RtlError::Stimulus`], and what a manifest gives that does not fit.
    pub fn record(
        &mut self,
        manifest: &Manifest,
        elaboration: &Elaboration,
        sources: &str,
        kernel: &str,
    ) -> Result<(), RtlError> {
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
        self.recorder = Some(Box::new(Recorder::new(&header, self.layout, self.widths)?));
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
        let (bulk_input, bulk_output) = (port(Group::BulkInput), port(Group::BulkOutput));
        let lanes = 32 * NUM_LANES;
        let mut ports = vec![
            input("rst_ni", RESET, 1),
            input("config_i", CONFIG, PortConfig::BITS),
            input("issue_i", layout.issue, widths.issue * Issue::BITS),
            input("operands_ready_i", layout.operands_ready, widths.issue),
            input("result_i", layout.result, widths.result * ResultWrite::BITS),
            input("command_i", layout.command, heddle_port::Command::BITS),
            bulk_input("result_data_i", 0, widths.result * lanes),
            output("issue_ready_o", ISSUE_READY, widths.issue),
            output("operands_o", OPERANDS, widths.issue * Operands::BITS),
            output("result_ready_o", layout.result_ready, widths.result),
            output("command_ready_o", layout.command_ready, 1),
            output("done_o", layout.done, Done::BITS),
            output("status_o", layout.status, Status::BITS),
            output("events_o", layout.events, 32 * layout.event_words),
            bulk_output("operand_data_o", 0, widths.issue * NUM_SOURCES * lanes),
        ];
        if let Some(memory) = &layout.memory {
            let [results, operands] = [MAX_PORT_WIDTH * NUM_LANES, OPERAND_WORDS];
            ports.extend([
                input("memory_request_i", memory.request, MemRequest::BITS),
                input("memory_flush_i", memory.flush, 1),
                input("lower_ready_i", memory.lower_ready, 1),
                input("lower_response_i", memory.lower_response, MemLowerResponse::BITS),
                bulk_input("memory_request_data_i", results, 32 * LANE_WORDS),
                bulk_input("lower_response_data_i", results + LANE_WORDS, 32 * LINE_WORDS),
                output("memory_request_ready_o", memory.request_ready, 1),
                output("memory_response_o", memory.response, MemResponse::BITS),
                output("memory_performed_o", memory.performed, MemPerformed::BITS),
                output("memory_idle_o", memory.idle, 1),
                output("lower_request_o", memory.lower_request, MemLowerRequest::BITS),
                bulk_output("memory_response_data_o", operands, 32 * LANE_WORDS),
                bulk_output("lower_request_data_o", operands + LANE_WORDS, 32 * LINE_WORDS),
            ]);
        }
        ports
    }
}

const _: () = assert!(MAX_PORT_WIDTH <= 32, "the ready bits of all slots are one word");
