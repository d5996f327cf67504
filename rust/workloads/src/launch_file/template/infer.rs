//! What the instructions of a kernel say about its parameters: which bytes are addresses, of what.
//!
//! Values that come from a parameter are followed through moves, sums and selections to the addresses of
//! loads and stores, without regard to the order of execution. It is a guess for a template, not a proof.

use std::collections::{BTreeMap, BTreeSet};

use heddle_isa::{Alu, Instr, Loc, Op, Operand, Program, Space, Special, Type};
use heddle_port::Reg;

use super::image::{ImageUse, reference};
use crate::launch_file::ElementType;

/// Times that values are followed through the whole program.
const PASSES: usize = 32;

/// Moves between the operation that makes a value and the store of it, at most.
const MOVES: u32 = 4;

/// What a kernel does through an address.
#[derive(Debug, Clone)]
pub(super) struct Pointee {
    pub(super) element: ElementType,
    pub(super) loads: bool,
    pub(super) stores: bool,
    /// The first such access.
    pub(super) at: Loc,
}

/// What is known of a kernel's parameters, by byte of the parameter block.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// Type of the value loaded at this byte.
    pub(super) loaded: BTreeMap<u32, Type>,
    pub(super) pointees: BTreeMap<u32, Pointee>,
    /// Textures and surfaces whose handle is loaded at this byte.
    pub(super) images: BTreeMap<u32, ImageUse>,
    /// Textures and surfaces that the module names.
    pub(super) references: BTreeMap<String, ImageUse>,
    /// Dimensions of grid and block that the kernel asks for: 1 to 3.
    pub(super) dimensions: usize,
}

type Origins = BTreeMap<Reg, BTreeSet<u32>>;

impl Facts {
    pub(super) fn of(program: &Program) -> Self {
        let mut facts = Self { dimensions: dimensions(program), ..Self::default() };
        let mut origins = facts.parameters(program);
        for _ in 0..PASSES {
            if !follow(program, &mut origins) {
                break;
            }
        }
        // Accesses with one origin say which parameters are addresses; the others add offsets to those.
        for alone in [true, false] {
            for instr in &program.instrs {
                facts.access(program, instr, &origins, alone);
            }
        }
        for (byte, ty) in &mut facts.loaded {
            let registers: Vec<Reg> =
                origins.iter().filter(|(_, o)| o.len() == 1 && o.contains(byte)).map(|(r, _)| *r).collect();
            if let Some(found) = registers.iter().find_map(|r| consumer(program, *r)) {
                *ty = refined(*ty, found);
            }
        }
        facts
    }

    /// The registers that parameters are loaded to.
    fn parameters(&mut self, program: &Program) -> Origins {
        let mut origins = Origins::new();
        for instr in &program.instrs {
            let Op::Ld { space: Space::Param, ty, .. } = instr.op else { continue };
            let Some(Operand::Imm(address)) = instr.srcs.first() else { continue };
            let first = u32::try_from(address.wrapping_add_signed(instr.offset.into())).unwrap_or(u32::MAX);
            let elements = instr.dsts.chunks(ty.words());
            for (index, registers) in (0..).zip(elements) {
                let byte = first.saturating_add(ty.bytes() * index);
                self.loaded.entry(byte).or_insert(ty);
                for register in registers {
                    origins.entry(*register).or_default().insert(byte);
                }
            }
        }
        origins
    }

    fn access(&mut self, program: &Program, instr: &Instr, origins: &Origins, alone: bool) {
        let (loads, stores, ty) = match instr.op {
            Op::Ld { space: Space::Global | Space::Generic, ty, .. } => (true, false, ty),
            Op::St { space: Space::Global | Space::Generic, ty, .. } => (false, true, ty),
            Op::Atom { space: Space::Global | Space::Generic, ty, .. } => (true, true, ty),
            Op::Tex { .. } | Op::SurfaceAddress { .. } => {
                if alone {
                    self.image(program, instr, origins);
                }
                return;
            }
            _ => return,
        };
        let addresses: Vec<u32> = instr
            .srcs
            .first()
            .into_iter()
            .flat_map(|s| from(s, origins))
            .filter(|byte| self.loaded.get(byte).is_some_and(|t| t.bytes() == 8))
            .collect();
        let known: Vec<u32> = addresses.iter().copied().filter(|b| self.pointees.contains_key(b)).collect();
        let of = match (addresses.len(), alone) {
            (1, true) => addresses,
            (2.., false) if known.is_empty() => addresses,
            (2.., false) => known,
            _ => return,
        };
        let element = accessed(program, instr, ty);
        for byte in of {
            let new = Pointee { element, loads: false, stores: false, at: instr.loc };
            let pointee = self.pointees.entry(byte).or_insert(new);
            pointee.loads |= loads;
            pointee.stores |= stores;
        }
    }

    /// Notes an access of a texture or surface under what its handle comes from.
    fn image(&mut self, program: &Program, instr: &Instr, origins: &Origins) {
        let (Some(found), Some(handle)) = (ImageUse::of(program, instr), instr.srcs.first()) else { return };
        for byte in from(handle, origins) {
            self.images.entry(byte).or_insert_with(|| found.clone()).join(&found);
        }
        if let Some(name) = reference(program, handle) {
            self.references.entry(name.to_owned()).or_insert_with(|| found.clone()).join(&found);
        }
    }
}

/// The type of the elements that a load, store or atomic operation of type `ty` accesses, made more exact
/// by where the value goes to or comes from.
pub(super) fn accessed(program: &Program, instr: &Instr, ty: Type) -> ElementType {
    let other = match instr.op {
        Op::Ld { .. } => instr.dsts.first().and_then(|r| consumer(program, *r)),
        _ => instr.srcs.get(1).and_then(register).and_then(|r| producer(program, r, MOVES)),
    };
    element(other.map_or(ty, |other| refined(ty, other)))
}

pub(super) fn register(operand: &Operand) -> Option<Reg> {
    match *operand {
        Operand::Reg(r) | Operand::Pair(r) => Some(r),
        Operand::Imm(_) | Operand::Special(_) | Operand::Constant(_) => None,
    }
}

fn from(operand: &Operand, origins: &Origins) -> BTreeSet<u32> {
    register(operand).and_then(|r| origins.get(&r)).cloned().unwrap_or_default()
}

/// Carries origins from sources to destinations; whether anything was new.
fn follow(program: &Program, origins: &mut Origins) -> bool {
    let mut new = false;
    for instr in &program.instrs {
        let carried = match instr.op {
            Op::Alu { op: Alu::Mov | Alu::Add | Alu::Sub | Alu::And | Alu::Pack | Alu::Unpack, .. }
            | Op::Cvt { .. }
            | Op::Selp { .. } => &instr.srcs[..],
            Op::Alu { op: Alu::Mad | Alu::MadWide, .. } => instr.srcs.get(2..).unwrap_or_default(),
            _ => continue,
        };
        let found: BTreeSet<u32> = carried.iter().flat_map(|s| from(s, origins)).collect();
        for register in &instr.dsts {
            let known = origins.entry(*register).or_default();
            let before = known.len();
            known.extend(&found);
            new |= known.len() > before;
        }
    }
    new
}

/// The type of the operation of an instruction on its sources.
fn operation(instr: &Instr) -> Option<Type> {
    match instr.op {
        Op::Alu { op: Alu::Mov | Alu::Pack | Alu::Unpack, .. } => None,
        Op::Alu { ty, .. } | Op::Setp { ty, .. } | Op::Set { ty, .. } => Some(ty),
        Op::Cvt { from, .. } => Some(from),
        _ => None,
    }
}

fn consumer(program: &Program, register: Reg) -> Option<Type> {
    let uses = |i: &&Instr| i.srcs.iter().any(|s| self::register(s) == Some(register));
    program.instrs.iter().filter(uses).find_map(operation)
}

/// The type of what writes a register, `moves` moves before it at most.
fn producer(program: &Program, register: Reg, moves: u32) -> Option<Type> {
    let makes = |i: &&Instr| i.dsts.contains(&register);
    program.instrs.iter().filter(makes).find_map(|i| match i.op {
        Op::Alu { op: Alu::Mov, .. } if moves > 0 => {
            i.srcs.first().and_then(self::register).and_then(|r| producer(program, r, moves - 1))
        }
        Op::Tex { ty, .. } => Some(ty),
        Op::Cvt { to, .. } => Some(to),
        Op::Ld { ty, .. } => Some(ty),
        _ => operation(i),
    })
}

/// An untyped or integer type made more exact by one of the same size.
fn refined(ty: Type, found: Type) -> Type {
    let better = found.is_float() || found.is_signed();
    if !ty.is_float() && found.bits() == ty.bits() && better { found } else { ty }
}

/// The type of buffer elements.
pub(super) fn element(ty: Type) -> ElementType {
    match ty {
        Type::Pred | Type::B8 | Type::U8 => ElementType::U8,
        Type::S8 => ElementType::I8,
        Type::B16 | Type::U16 => ElementType::U16,
        Type::S16 => ElementType::I16,
        Type::F16 | Type::F16x2 => ElementType::F16,
        Type::Bf16 | Type::Bf16x2 => ElementType::Bf16,
        Type::B32 | Type::U32 | Type::Tf32 => ElementType::U32,
        Type::S32 => ElementType::I32,
        Type::F32 => ElementType::F32,
        Type::B64 | Type::U64 | Type::B128 => ElementType::U64,
        Type::S64 => ElementType::I64,
        Type::F64 => ElementType::F64,
    }
}

fn dimensions(program: &Program) -> usize {
    let asked = program.instrs.iter().flat_map(|i| &i.srcs).filter_map(|s| match s {
        Operand::Special(Special::Tid(d) | Special::Ctaid(d)) => Some(usize::from(*d) + 1),
        _ => None,
    });
    asked.max().unwrap_or(1).clamp(1, 3)
}
