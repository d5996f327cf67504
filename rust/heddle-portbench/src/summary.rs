//! How much a run has done.

use std::fmt;

/// How much a run that found nothing wrong has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Summary {
    /// The seed.
    pub seed: u64,
    /// Clock cycles.
    pub cycles: u64,
    /// Instructions issued.
    pub instructions: u64,
    /// Operands compared, a warp register each.
    pub operands: u64,
    /// Operand values compared, a lane each.
    pub values: u64,
    /// Results written.
    pub results: u64,
    /// Commands carried out.
    pub commands: u64,
    /// Warps that began and ended.
    pub warps: u64,
    /// Output fields compared between RTL and model.
    pub outputs: u64,
    /// Longest wait from an issue to its operands.
    pub longest_operands: u64,
    /// Longest wait from a command's acceptance to its done event.
    pub longest_done: u64,
    /// Memory requests answered, of a design with the memory port.
    pub memory_requests: u64,
    /// Loaded values compared, a lane each.
    pub loaded: u64,
    /// Longest wait from a memory request to its response; 0 where it is not measured.
    pub longest_response: u64,
    /// Registers that the design has written to memory, and fetched from it.
    pub spills: u64,
    pub refills: u64,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "seed {}: {} cycles, {} warps, {} instructions, {} results, {} commands; compared {} operands \
             ({} values) and {} outputs; longest wait {} cycles for operands, {} for a command",
            self.seed,
            self.cycles,
            self.warps,
            self.instructions,
            self.results,
            self.commands,
            self.operands,
            self.values,
            self.outputs,
            self.longest_operands,
            self.longest_done
        )?;
        if self.memory_requests > 0 {
            write!(
                f,
                "; {} memory requests, {} loaded values compared, longest wait {} cycles",
                self.memory_requests, self.loaded, self.longest_response
            )?;
        }
        if self.spills > 0 {
            write!(f, "; {} registers spilled, {} fetched again", self.spills, self.refills)?;
        }
        Ok(())
    }
}
