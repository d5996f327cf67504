//! Opcode tables: what an opcode does, and how wide its operands are.
//!
//! The tables are data, `opcodes.csv`: opcode with those modifiers that matter, first and last
//! architecture, class, width of the destination, widths of the sources. A width is a number of 32-bit
//! registers, `m` the width of the memory access, `a` an address (two registers with the modifier `.E`),
//! `*` any number of single registers, `2*` of pairs. Of the rows that fit an opcode the one with the most
//! modifiers counts.
//!
//! The tracer lists a register that is the first operand as the destination, and all others as sources. `p`
//! before the width of a destination says that a predicate can stand before it, and `s` in its place that
//! there is none and the first operand is a source.

use std::collections::HashMap;
use std::sync::LazyLock;

use heddle_isa::{CacheOp, FenceLevel, Space, TracedAccess, Unit};

/// The table, as data.
const TABLE: &str = include_str!("opcodes.csv");

/// What an opcode does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Registers to registers.
    Compute(Unit),
    /// A memory access.
    Memory(TracedAccess, Space),
    /// A load of 8 x 8 matrices: each lane's address is that of a row of 16 bytes.
    Matrix,
    /// Barrier of the CTA.
    Barrier,
    /// Memory fence.
    Fence,
    /// Says where lanes go on.
    Branch,
    /// What else has no effect on registers.
    Control,
    /// Ends lanes.
    Exit,
}

/// Width of an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// So many 32-bit registers.
    Registers(u8),
    /// As wide as the memory access.
    Memory,
    /// An address: two registers with `.E`, else one.
    Address,
}

/// What the first operand of an opcode can be besides its destination register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum First {
    /// Nothing else.
    Destination,
    /// A predicate; the destination register is second then.
    Predicate,
    /// A source register.
    Source,
}

/// Widths of the sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sources {
    /// Any number, all of one width.
    Any(Width),
    /// These, in the order of the operands.
    List(Vec<Width>),
}

/// One row of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    modifiers: Vec<&'static str>,
    first: u32,
    last: u32,
    /// What it does.
    pub class: Class,
    /// Width of the destination; `None` for an opcode without one.
    pub destination: Option<Width>,
    /// What can stand first.
    pub first_operand: First,
    /// Widths of the sources.
    pub sources: Sources,
}

static ROWS: LazyLock<HashMap<&'static str, Vec<Row>>> = LazyLock::new(|| {
    let mut rows: HashMap<_, Vec<Row>> = HashMap::new();
    for line in TABLE.lines().skip(1) {
        if let Some((name, row)) = parse(line) {
            rows.entry(name).or_default().push(row);
        }
    }
    rows
});

fn width(text: &str) -> Option<Width> {
    Some(match text {
        "m" => Width::Memory,
        "a" => Width::Address,
        "1" => Width::Registers(1),
        "2" => Width::Registers(2),
        "4" => Width::Registers(4),
        _ => return None,
    })
}

fn class(text: &str) -> Option<Class> {
    let space = |name: &str| match name {
        "global" => Some(Space::Global),
        "shared" => Some(Space::Shared),
        "local" => Some(Space::Local),
        "generic" => Some(Space::Generic),
        _ => None,
    };
    Some(match text {
        "int" => Class::Compute(Unit::Int),
        "multiply" => Class::Compute(Unit::IntMultiply),
        "fp32" => Class::Compute(Unit::Fp32),
        "fp64" => Class::Compute(Unit::Fp64),
        "sfu" => Class::Compute(Unit::Sfu),
        "tensor" => Class::Compute(Unit::Tensor),
        "exchange" => Class::Compute(Unit::Exchange),
        "load.matrix" => Class::Matrix,
        "barrier" => Class::Barrier,
        "fence" => Class::Fence,
        "branch" => Class::Branch,
        "control" => Class::Control,
        "exit" => Class::Exit,
        _ => {
            let (access, name) = text.split_once('.')?;
            let access = match access {
                "load" => TracedAccess::Load,
                "store" => TracedAccess::Store,
                "atomic" => TracedAccess::Atomic,
                _ => return None,
            };
            Class::Memory(access, space(name)?)
        }
    })
}

/// One line of the table; `None` for one that is not as the table's description says.
fn parse(line: &'static str) -> Option<(&'static str, Row)> {
    let mut cells = line.split(',');
    let mut cell = || cells.next();
    let mut opcode = cell()?.split('.');
    let name = opcode.next()?;
    let (first, last) = (cell()?.parse().ok()?, cell()?.parse().ok()?);
    let class = class(cell()?)?;
    let destination = cell()?;
    let (first_operand, destination) = match (destination, destination.strip_prefix('p')) {
        ("s", _) => (First::Source, None),
        ("0", _) => (First::Destination, None),
        (_, Some(plain)) => (First::Predicate, Some(width(plain)?)),
        (plain, None) => (First::Destination, Some(width(plain)?)),
    };
    let sources = match cell()? {
        "*" => Sources::Any(Width::Registers(1)),
        "2*" => Sources::Any(Width::Registers(2)),
        list => Sources::List(list.split_ascii_whitespace().map(width).collect::<Option<_>>()?),
    };
    let modifiers = opcode.collect();
    let row = Row { modifiers, first, last, class, destination, first_operand, sources };
    cell().is_none().then_some((name, row))
}

/// Whether `part` stands in `whole` in this order, not necessarily side by side.
fn in_order(part: &[&str], whole: &[&str]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|wanted| rest.any(|found| found == wanted))
}

impl Row {
    /// The modifiers that an opcode must have for this row.
    #[must_use]
    pub fn modifiers(&self) -> &[&'static str] {
        &self.modifiers
    }
}

/// The row of an opcode with modifiers for an architecture.
#[must_use]
pub fn look_up(opcode: &str, architecture: u32) -> Option<&'static Row> {
    let mut parts = opcode.split('.');
    let rows = ROWS.get(parts.next()?)?;
    let modifiers: Vec<&str> = parts.collect();
    let fits =
        |row: &&Row| (row.first..=row.last).contains(&architecture) && in_order(&row.modifiers, &modifiers);
    rows.iter().filter(fits).max_by_key(|row| row.modifiers.len())
}

/// Bytes of a lane of a memory access, from the modifiers; 4 where none says otherwise.
///
/// Tracers derive the width they write from the opcode too, but do not know all of these.
#[must_use]
pub fn memory_bytes(opcode: &str) -> u8 {
    let bytes = |modifier: &str| {
        Some(match modifier {
            "8" | "U8" | "S8" => 1,
            "16" | "U16" | "S16" | "F16" | "BF16" => 2,
            "32" | "U32" | "S32" | "F32" | "F16x2" | "BF16x2" | "BF16_V2" => 4,
            "64" | "U64" | "S64" | "F64" => 8,
            "128" | "U128" => 16,
            _ => return None,
        })
    };
    opcode.split('.').skip(1).find_map(bytes).unwrap_or(4)
}

/// Cache operator, from the modifiers.
#[must_use]
pub fn cache_operator(opcode: &str) -> CacheOp {
    let has = |wanted: &str| opcode.split('.').any(|m| m == wanted);
    if has("CONSTANT") || has("CI") {
        CacheOp::Nc
    } else if has("CV") || has("STRONG") && has("SYS") {
        CacheOp::Cv
    } else if has("CG") || has("STRONG") && has("GPU") {
        CacheOp::Cg
    } else {
        CacheOp::Ca
    }
}

/// Scope of a `MEMBAR`, from its modifiers.
#[must_use]
pub fn fence_level(opcode: &str) -> FenceLevel {
    let has = |wanted: &str| opcode.split('.').any(|m| m == wanted);
    if has("CTA") {
        FenceLevel::Cta
    } else if has("SYS") {
        FenceLevel::System
    } else {
        FenceLevel::Gpu
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_a_row_and_no_two_say_the_same() {
        let lines: Vec<&'static str> = TABLE.lines().skip(1).collect();
        let rows: Vec<_> = lines.iter().map(|l| parse(l).unwrap_or_else(|| panic!("{l}"))).collect();
        assert!(rows.len() > 150);
        for (index, (name, row)) in rows.iter().enumerate() {
            assert!(row.first <= row.last, "{}", lines[index]);
            for (other, twin) in &rows[..index] {
                let same = name == other && row.modifiers == twin.modifiers;
                assert!(!same || row.first > twin.last || twin.first > row.last, "{}", lines[index]);
            }
        }
    }

    #[test]
    fn a_line_that_is_not_of_the_table_is_refused() {
        for line in ["FADD,35,89,alu,1", "FADD,35,89,alu,3,*", "FADD,35,89,fpu,1,*", "FADD,35,89,alu,1,*,"] {
            assert!(parse(line).is_none(), "{line}");
        }
    }

    #[test]
    fn the_row_with_the_most_modifiers_counts() {
        let destination = |opcode| look_up(opcode, 75).map(|r| r.destination);
        assert_eq!(destination("IMAD.MOV.U32"), Some(Some(Width::Registers(1))));
        assert_eq!(destination("IMAD.WIDE.U32"), Some(Some(Width::Registers(2))));
        assert_eq!(destination("F2F.F64.F32"), Some(Some(Width::Registers(2))));
        assert_eq!(destination("F2F.F32.F64"), Some(Some(Width::Registers(1))));
        assert_eq!(destination("HMMA.1688.F32"), Some(Some(Width::Registers(4))));
        assert_eq!(destination("HMMA.1688.F16"), Some(Some(Width::Registers(2))));
        assert_eq!(destination("UTMALDG"), None);
        assert_eq!(look_up("UIADD3", 70), None);
        assert!(look_up("UIADD3", 75).is_some() && look_up("XMAD.MRG", 61).is_some());
        assert_eq!(look_up("XMAD", 70), None);
    }

    #[test]
    fn modifiers_of_memory_accesses() {
        for (opcode, bytes) in [
            ("LDG.E.SYS", 4),
            ("LDG.E.64.CONSTANT.SYS", 8),
            ("LDG.E.LTC128B.128", 16),
            ("LDS.U.U8", 1),
            ("RED.E.ADD.F64.RN.STRONG.GPU", 8),
            ("ATOM.E.ADD.F16x2", 4),
        ] {
            assert_eq!(memory_bytes(opcode), bytes, "{opcode}");
        }
        assert_eq!(cache_operator("LDG.E.64.CONSTANT.SYS"), CacheOp::Nc);
        assert_eq!(cache_operator("LDG.E.SYS"), CacheOp::Ca);
        assert_eq!(cache_operator("LDG.E.STRONG.GPU"), CacheOp::Cg);
    }
}
