//! A mismatch: what differed, where, and what went before.

use std::fmt;

use heddle_isa::{Pc, Program};
use heddle_port::WarpSlot;
use serde::Serialize;

/// Which check found it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    /// A source operand that came out of the RTL.
    Operand,
    /// A control output or event pulse, RTL against cycle model.
    Control,
    /// What the SM drives into a port, or the design says at it, breaks the port's contract.
    Contract,
    /// PC, active mask or predicates of an issued instruction.
    Flow,
    /// Address, loaded or stored value of a memory access.
    Memory,
    /// A register that the design spilled to memory.
    Spill,
    /// Register read before its value was there.
    Scoreboard,
    /// An assertion or fatal error of the RTL.
    Assertion,
    /// No progress.
    Hang,
    /// Final memory against golden memory.
    FinalMemory,
    /// Final memory against the workload's CPU reference.
    Reference,
    /// The program as parsed against the allocated program.
    Compiler,
    /// Something outstanding at the end, or nothing compared at all.
    Completeness,
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Operand => "operand",
            Self::Control => "control output",
            Self::Contract => "port contract",
            Self::Flow => "control flow",
            Self::Memory => "memory access",
            Self::Spill => "spilled register",
            Self::Scoreboard => "scoreboard",
            Self::Assertion => "assertion",
            Self::Hang => "hang",
            Self::FinalMemory => "final memory",
            Self::Reference => "CPU reference",
            Self::Compiler => "compiler",
            Self::Completeness => "completeness",
        })
    }
}

/// Where in the kernel and the machine it was.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Place {
    /// Launch number, from 0.
    pub launch: u32,
    /// Cycle since the start of the run, all launches together.
    pub cycle: u64,
    /// SM, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sm: Option<usize>,
    /// CTA of the grid.
    pub cta: Option<u64>,
    /// Hardware warp slot.
    pub warp: Option<u8>,
    /// Program counter.
    pub pc: Option<u32>,
    /// `file:line:column` of the PTX.
    pub source: Option<String>,
    /// That line.
    pub source_text: Option<String>,
    /// Architectural register.
    pub register: Option<u32>,
    /// Lane.
    pub lane: Option<u8>,
    /// Signal or output.
    pub signal: Option<String>,
}

impl Place {
    /// The place of an instruction of `program` at cycle `cycle` of the run.
    #[must_use]
    pub fn of_instruction(
        program: &Program,
        launch: u32,
        cycle: u64,
        slot: Option<WarpSlot>,
        pc: Option<Pc>,
    ) -> Self {
        let mut place =
            Self { launch, cycle, warp: slot.map(|s| s.0), pc: pc.map(|p| p.0), ..Self::default() };
        if let Some(pc) = pc
            && let Some(instr) = program.instrs.get(pc.index())
        {
            place.source = Some(program.source.spelt(instr.loc));
            place.source_text = Some(program.source_line(pc).to_owned());
        }
        place
    }
}

/// One transaction of a register or signal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Transaction {
    /// Cycle since the start of the run.
    pub cycle: u64,
    /// What happened.
    pub what: String,
    /// It is the failing one.
    pub failing: bool,
}

/// A difference between two machines that must agree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mismatch {
    /// Which check.
    pub check: Check,
    /// Where.
    pub place: Place,
    /// One sentence.
    pub what: String,
    /// Expected and actual, label and value, line by line.
    pub sides: Vec<(String, String, String)>,
    /// The last transactions, oldest first.
    pub history: Vec<Transaction>,
    /// More lines, such as what each warp waits for.
    pub notes: Vec<String>,
}

impl Mismatch {
    /// A mismatch without sides, history and notes.
    #[must_use]
    pub fn new(check: Check, place: Place, what: impl Into<String>) -> Self {
        Self { check, place, what: what.into(), sides: Vec::new(), history: Vec::new(), notes: Vec::new() }
    }

    /// Adds a line with expected and actual side by side.
    #[must_use]
    pub fn side(
        mut self,
        label: impl Into<String>,
        expected: impl Into<String>,
        actual: impl Into<String>,
    ) -> Self {
        self.sides.push((label.into(), expected.into(), actual.into()));
        self
    }

    /// What was found, in words: the check, its sentence, the signal and the lines in which both sides differ, without
    /// place, history and notes.
    #[must_use]
    pub fn finding(&self) -> String {
        let mut finding = format!("{}: {}", self.check, self.what);
        if let Some(signal) = &self.place.signal {
            finding += &format!("; signal {signal}");
        }
        for (label, expected, actual) in self.sides.iter().filter(|(_, expected, actual)| expected != actual)
        {
            finding += &format!("; {label}: {expected}, {actual}");
        }
        finding
    }
}

impl std::error::Error for Mismatch {}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let p = &self.place;
        writeln!(f, "MISMATCH ({}): {}", self.check, self.what)?;
        write!(f, "  at      launch {}, cycle {}", p.launch, p.cycle)?;
        if let Some(sm) = p.sm {
            write!(f, ", SM {sm}")?;
        }
        if let Some(cta) = p.cta {
            write!(f, ", CTA {cta}")?;
        }
        if let Some(warp) = p.warp {
            write!(f, ", warp slot {warp}")?;
        }
        if let Some(pc) = p.pc {
            write!(f, ", pc {pc}")?;
        }
        writeln!(f)?;
        if let Some(source) = &p.source {
            writeln!(f, "  source  {source}: {}", p.source_text.as_deref().unwrap_or(""))?;
        }
        if let Some(register) = p.register {
            write!(f, "  value   R{register}")?;
            if let Some(lane) = p.lane {
                write!(f, ", lane {lane}")?;
            }
            writeln!(f)?;
        }
        if let Some(signal) = &p.signal {
            writeln!(f, "  signal  {signal}")?;
        }
        if !self.sides.is_empty() {
            let width = |pick: fn(&(String, String, String)) -> &String, head: &str| {
                self.sides.iter().map(|s| pick(s).chars().count()).max().unwrap_or(0).max(head.len())
            };
            let (a, b) = (width(|s| &s.0, ""), width(|s| &s.1, "expected"));
            writeln!(f, "  {:a$}  {:b$}  actual", "", "expected")?;
            for (label, expected, actual) in &self.sides {
                let mark = if expected == actual { ' ' } else { '*' };
                writeln!(f, " {mark}{label:a$}  {expected:b$}  {actual}")?;
            }
        }
        if !self.history.is_empty() {
            writeln!(f, "  last transactions:")?;
            for t in &self.history {
                let mark = if t.failing { "-->" } else { "   " };
                writeln!(f, "  {mark} cycle {:>8}  {}", t.cycle, t.what)?;
            }
        }
        for note in &self.notes {
            writeln!(f, "  {note}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Check, Mismatch, Place};

    #[test]
    fn a_finding_has_what_differs_and_nothing_of_the_way_there() {
        let place = Place { signal: Some("operand_valid_o".to_owned()), ..Place::default() };
        let mut mismatch = Mismatch::new(Check::Operand, place, "R3 is wrong")
            .side("lane 2", "0x1", "0x2")
            .side("lane 3", "equal", "equal");
        mismatch.notes.push("waves: wrong-bank.vcd".to_owned());
        mismatch.place.source = Some("kernel.ptx:1:1".to_owned());
        mismatch.place.source_text = Some("add.u32 bank".to_owned());
        let finding = mismatch.finding();
        for part in [Check::Operand.to_string().as_str(), "R3 is wrong", "operand_valid_o", "lane 2", "0x2"] {
            assert!(finding.contains(part), "{finding}");
        }
        for other in ["lane 3", "wrong-bank", "add.u32"] {
            assert!(!finding.contains(other) && mismatch.to_string().contains(other), "{finding}");
        }
    }
}
