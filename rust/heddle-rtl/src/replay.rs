//! Replays what was recorded at a design's port into a model of the design, and compares its outputs.

use heddle_stimulus::{Group, Reader, StimulusError};
use verilated_runtime::{Instance, RunError, Shape};

/// What a replay compared and found equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Replayed {
    /// Clock edges, those in reset included.
    pub edges: u64,
    /// Launches: how often reset was released.
    pub launches: u64,
    /// Bits of control outputs and events that mean something, all edges together.
    pub control_bits: u64,
    /// Bits of operands that mean something, all edges together.
    pub data_bits: u64,
}

/// Where an output is not the recorded one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The launch, from 0.
    pub launch: u64,
    /// Cycle of the launch whose outputs differ; none while reset is held.
    pub cycle: Option<u64>,
    /// The port.
    pub port: String,
    /// Lowest bit of the port that differs.
    pub bit: usize,
    /// The recorded word in which that bit lies, without what means nothing.
    pub expected: u32,
    /// The model's.
    pub found: u32,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.cycle {
            Some(cycle) => write!(f, "launch {}, cycle {cycle}", self.launch)?,
            None => write!(f, "reset of launch {}", self.launch)?,
        }
        let low = self.bit / 32 * 32;
        write!(
            f,
            ": {} bit {}: bits {low} to {} are {:#010x}, recorded were {:#010x}",
            self.port,
            self.bit,
            low + 31,
            self.found,
            self.expected
        )
    }
}

/// A replay that did not pass.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The file cannot be read.
    #[error(transparent)]
    Stimulus(#[from] StimulusError),
    /// The model fails.
    #[error("the model stops: {0}")]
    Run(#[from] RunError),
    /// The model has other ports.
    #[error("the model takes {found:?} words a cycle, the recording has {expected:?}")]
    Shape {
        /// The recording's.
        expected: Shape,
        /// The model's.
        found: Shape,
    },
    /// An output is not the recorded one.
    #[error("{0}")]
    Differs(Difference),
    /// It was told to end.
    #[error("interrupted after {edges} clock edges")]
    Interrupted {
        /// Clock edges that were compared.
        edges: u64,
    },
    /// The recording holds nothing of some kind to compare, so that the replay proves nothing about it.
    #[error("the recording has no {missing} to compare, so the replay is not counted as passed")]
    Uncompared {
        /// What there is none of.
        missing: &'static str,
    },
}

/// Replays a recording into a model and compares each output bit that means something after each clock edge, as long
/// as `goes_on` says so.
///
/// # Errors
/// [`ReplayError`]; of differences the first one.
pub fn replay(
    recording: &mut Reader,
    model: &mut Instance,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<Replayed, ReplayError> {
    let words = recording.header().words;
    let expected = Shape {
        input: words.input,
        bulk_input: words.bulk_input,
        output: words.output,
        bulk_output: words.bulk_output,
    };
    if expected != model.shape() {
        return Err(ReplayError::Shape { expected, found: model.shape() });
    }
    let reset = recording.header().ports.first().map_or(0, |port| port.word);
    let (mut output, mut bulk_output) = (vec![0; words.output], vec![0; words.bulk_output]);
    let mut replayed = Replayed::default();
    let mut cycle = None;
    while recording.next_record()? {
        if !goes_on() {
            return Err(ReplayError::Interrupted { edges: replayed.edges });
        }
        let input = recording.words(Group::Input);
        // The outputs after the last edge in reset are those of cycle 0.
        cycle = match (input[reset] & 1, cycle) {
            (0, _) => None,
            (_, Some(cycle)) => Some(cycle + 1),
            (_, None) => {
                replayed.launches += 1;
                Some(1)
            }
        };
        model.cycle(input, recording.words(Group::BulkInput), &mut output, &mut bulk_output)?;
        for (group, found) in [(Group::Output, &output), (Group::BulkOutput, &bulk_output)] {
            let launch = replayed.launches - u64::from(cycle.is_some());
            if let Some(difference) = first_difference(recording, group, found) {
                return Err(ReplayError::Differs(Difference { launch, cycle, ..difference }));
            }
            let bits = recording.care(group).iter().map(|care| u64::from(care.count_ones())).sum::<u64>();
            match group {
                Group::BulkOutput => replayed.data_bits += bits,
                _ => replayed.control_bits += bits,
            }
        }
        replayed.edges += 1;
    }
    for (count, missing) in [
        (replayed.launches, "launch"),
        (replayed.control_bits, "control output"),
        (replayed.data_bits, "operand"),
    ] {
        if count == 0 {
            return Err(ReplayError::Uncompared { missing });
        }
    }
    Ok(replayed)
}

/// The first bit of a group that is not the recorded one; without its place in time.
fn first_difference(recording: &Reader, group: Group, found: &[u32]) -> Option<Difference> {
    let wanted = recording.words(group).iter().zip(recording.care(group));
    let differs = wanted.zip(found).position(|((wanted, care), found)| (wanted ^ found) & care != 0)?;
    let (expected, care) = (recording.words(group)[differs], recording.care(group)[differs]);
    let found = found[differs] & care;
    let bit = (expected ^ found).trailing_zeros() as usize;
    let (port, bit) = match recording.header().port_of(group, differs) {
        Some((port, word)) => (port.name.clone(), 32 * word + bit),
        None => (format!("{group:?}"), 32 * differs + bit),
    };
    Some(Difference { launch: 0, cycle: None, port, bit, expected, found })
}
