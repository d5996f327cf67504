//! The RTL of one design from both trees.

use std::collections::BTreeMap;
use std::path::Path;

use heddle_port::{
    DesignError, Events, Instance, MemorySide, OperandData, PortConfig, RegIn, RegOut, RegisterData,
    RegisterFile,
};
use heddle_rtl::{Elaboration, Manifest, ModelLibrary, RtlError, RtlRegisterFile, build};

use super::corners::Corner;
use super::tree::OtherDesign;
use super::{AgainstError, in_manifest, wrapper};
use crate::{BenchConfig, run};

/// A design, built from this tree and from the other one.
#[derive(Debug)]
pub struct Pair {
    here: Manifest,
    this: ModelLibrary,
    other: ModelLibrary,
    made_with: Instance,
    /// Bits of the events that both have.
    common: Events,
    /// Events that the other tree does not have, which nothing is compared with.
    pub new_events: Vec<String>,
}

/// What was compared, over all corners.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PairSummary {
    /// Corners that both take.
    pub corners: usize,
    /// Corners that both refuse.
    pub refused: usize,
    /// Clock cycles.
    pub cycles: u64,
    /// Output fields compared.
    pub outputs: u64,
    /// Operand values compared with what was written, a lane each.
    pub values: u64,
    /// Loaded values compared likewise.
    pub loaded: u64,
}

impl Pair {
    /// Builds both with the other tree's `parameters`, or finds them built.
    ///
    /// # Errors
    /// What does not fit, or does not build.
    pub fn build(
        root: &Path,
        here: &Manifest,
        other: &OtherDesign,
        parameters: &BTreeMap<String, i64>,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Self, AgainstError> {
        let values: String = parameters.iter().map(|(name, value)| format!("-{name}{value}")).collect();
        let stage = root.join("build/against").join(format!("{}{values}", other.manifest.name));
        let elaboration = Elaboration {
            name: "both".to_owned(),
            parameters: parameters.iter().map(|(name, value)| (in_manifest(name), *value)).collect(),
        };
        let staged = wrapper::stage(root, &stage, (here, &elaboration), other, parameters)?;
        let this = build(root, here, &elaboration, progress)?;
        let other_library = build(&stage, &staged, &elaboration, progress)?;
        let events = other.events(parameters)?;
        let mut common = Events::default();
        let mut new_events = Vec::new();
        let made_with = here.instance(&elaboration).map_err(RtlError::from)?;
        for (name, field) in made_with.events.iter() {
            if events.field(name).is_some() {
                (usize::from(field.lsb)..field.end()).for_each(|bit| common[bit / 32] |= 1 << (bit % 32));
            } else {
                new_events.push(name.to_owned());
            }
        }
        Ok(Self { here: here.clone(), this, other: other_library, made_with, common, new_events })
    }

    /// Runs all corners that both take for `cycles` cycles together, each with a seed of its own.
    ///
    /// # Errors
    /// The first difference.
    pub fn compare(&self, corners: &[Corner], seed: u64, cycles: u64) -> Result<PairSummary, AgainstError> {
        let mut summary = PairSummary::default();
        let (mut taken, mut last) = (Vec::new(), String::new());
        for corner in corners {
            let refusals = (refusal(&self.this, corner)?, refusal(&self.other, corner)?);
            let refused = |side, message| AgainstError::Refused { corner: corner.to_string(), side, message };
            match refusals {
                (None, None) => taken.push(corner),
                (Some(message), Some(_)) => {
                    summary.refused += 1;
                    last = message;
                }
                (Some(message), None) => return Err(refused("this tree", message)),
                (None, Some(message)) => return Err(refused("the other tree", message)),
            }
        }
        if taken.is_empty() {
            return Err(AgainstError::Nothing { design: self.here.name.clone(), message: last });
        }
        let each = cycles.div_ceil(taken.len() as u64);
        for (corner, seed) in taken.into_iter().zip(seed..) {
            let rtl = self.this.instance(seed)?;
            let mut config = BenchConfig::new(&self.here, rtl.made_with(), corner.port);
            config.most_registers = config.most_registers.min(corner.registers);
            let mut other = self.other.instance(!seed)?;
            let mut this = Common { rtl, events: self.common };
            let found = run(&config, &mut this, &mut other, seed, each).map_err(|failure| {
                AgainstError::Differs { corner: corner.to_string(), failure: Box::new(failure) }
            })?;
            summary.corners += 1;
            summary.cycles += found.cycles;
            summary.outputs += found.outputs;
            summary.values += found.values;
            summary.loaded += found.loaded;
        }
        Ok(summary)
    }

    /// What a cycle model of this tree's side is made with.
    #[must_use]
    pub fn made_with(&self) -> &Instance {
        &self.made_with
    }
}

/// What a fresh instance says of a configuration that it does not take.
fn refusal(library: &ModelLibrary, corner: &Corner) -> Result<Option<String>, AgainstError> {
    let mut rtl = library.instance(1)?;
    let mut out = RegOut::default();
    let begun = rtl.reset(&corner.port).and_then(|_| rtl.step(&RegIn::default(), &mut out));
    Ok(begun.err().map(|error| error.to_string()))
}

/// RTL of which only the events that both trees have are seen.
struct Common {
    rtl: RtlRegisterFile,
    events: Events,
}

impl Common {
    fn mask(&self, out: &mut RegOut) {
        for (word, mask) in out.events.iter_mut().zip(self.events) {
            *word &= mask;
        }
    }
}

impl RegisterFile for Common {
    fn reset(&mut self, config: &PortConfig) -> Result<RegOut, DesignError> {
        let mut out = self.rtl.reset(config)?;
        self.mask(&mut out);
        Ok(out)
    }

    fn step(&mut self, input: &RegIn, out: &mut RegOut) -> Result<(), DesignError> {
        self.rtl.step(input, out)?;
        self.mask(out);
        Ok(())
    }

    fn memory_side(&mut self) -> Option<&mut dyn MemorySide> {
        self.rtl.memory_side()
    }
}

impl RegisterData for Common {
    fn operand_data(&self) -> &OperandData {
        self.rtl.operand_data()
    }
}
