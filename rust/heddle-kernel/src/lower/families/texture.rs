//! Texture fetches, and surface accesses: an address, then a load or store of global memory.

use heddle_isa::texture::{Boundary, Geometry};
use heddle_isa::{Alu, Instr, Pred};
use heddle_isa::{CacheOp, Guard, Mods, Op, Operand as IrOperand, PredAlu, PredOperand, Space, Type};
use heddle_port::NUM_SOURCES;
use smallvec::SmallVec;

use super::memory::{LOAD_CACHE, STORE_CACHE, elements};
use super::{Table, unsupported};
use crate::ast::{Instruction, Operand, OperandKind, Word};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lower::modifiers::Modifiers;
use crate::lower::operand::{Registers, wrong_form};
use crate::lower::symbols::Symbol;
use crate::lower::{Lowered, Lowering, types};

pub(super) const RULES: Table = &[("tex", tex), ("suld", suld), ("sust", sust)];

const TEXTURES: &[(&str, Geometry)] = &[
    ("1d", Geometry::D1),
    ("2d", Geometry::D2),
    ("3d", Geometry::D3),
    ("a1d", Geometry::A1d),
    ("a2d", Geometry::A2d),
    ("cube", Geometry::Cube),
    ("acube", Geometry::ACube),
];

const SURFACES: &[(&str, Geometry)] = &[
    ("1d", Geometry::D1),
    ("2d", Geometry::D2),
    ("3d", Geometry::D3),
    ("a1d", Geometry::A1d),
    ("a2d", Geometry::A2d),
];

const BOUNDARIES: &[(&str, Boundary)] =
    &[("trap", Boundary::Trap), ("clamp", Boundary::Clamp), ("zero", Boundary::Zero)];

/// What can stand for a texture or surface.
const HANDLES: &str = "a 64-bit register with a handle, or a texture or surface reference of the module";

/// A fault for operands of another number or form.
fn malformed(i: &Instruction, expected: &str) -> Diagnostic {
    let message = format!("the operands of '{}' are not those of a texture or surface", i.opcode.text);
    Diagnostic::new(DiagnosticKind::Operand, i.span, message).help(format!("expected {expected}"))
}

/// `[handle, coordinates]` as its two parts.
fn place<'i>(i: &Instruction, operand: &'i Operand) -> Lowered<(&'i Operand, &'i Operand)> {
    let parts = match &operand.kind {
        OperandKind::Texture(parts) => parts.as_slice(),
        _ => return Err(wrong_form(operand, "a handle and coordinates in brackets")),
    };
    match parts {
        [handle, coordinates] => Ok((handle, coordinates)),
        [_, _, _] => Err(unsupported(i, "a sampler apart from the texture")),
        _ => Err(wrong_form(operand, "a handle and coordinates in brackets")),
    }
}

/// The handle as an operand; that of a texture or surface reference is loaded from constant memory.
fn handle(l: &mut Lowering<'_>, operand: &Operand) -> Lowered<IrOperand> {
    let OperandKind::Name(text, 0) = &operand.kind else {
        return Err(wrong_form(operand, HANDLES));
    };
    let word = Word { text: text.clone(), span: operand.span };
    match l.symbols.find(&word)? {
        Symbol::Register(..) => l.source(operand, Type::U64),
        Symbol::Reference(offset) => {
            let pair = fresh_pair(l, operand)?;
            let op = Op::Ld { space: Space::Const, ty: Type::U64, vector: 1, cache: CacheOp::Ca };
            let mut load = l.new_instr(op);
            load.dsts.extend(pair.iter().copied());
            load.srcs.push(IrOperand::Imm(offset.into()));
            l.emit(load);
            Ok(IrOperand::Pair(pair[0]))
        }
        _ => Err(wrong_form(operand, HANDLES)),
    }
}

fn fresh_pair(l: &mut Lowering<'_>, operand: &Operand) -> Lowered<Registers> {
    let sink = Operand { kind: OperandKind::Sink, span: operand.span };
    l.destination(&sink, Type::U64)
}

/// Appends handle and coordinates to the sources; what PTX writes after three coordinates to make four
/// has no meaning and is left out.
fn push_place(
    l: &mut Lowering<'_>,
    instr: &mut Instr,
    geometry: Geometry,
    ty: Type,
    (handle_operand, coordinates): (&Operand, &Operand),
) -> Lowered<()> {
    let count = geometry.coordinates();
    let written = if count == 3 { 4 } else { count as u8 };
    let coordinates = elements(l, coordinates, written)?;
    instr.srcs.push(handle(l, handle_operand)?);
    for (n, coordinate) in coordinates.iter().take(count).enumerate() {
        let ty = if n == 0 && geometry.is_layered() { Type::B32 } else { ty };
        instr.srcs.push(l.source(coordinate, ty)?);
    }
    Ok(())
}

fn tex(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    if m.flag("grad") {
        return Err(unsupported(i, "a level of detail from gradients (.grad)"));
    }
    if m.flag("2dms") | m.flag("a2dms") {
        return Err(unsupported(i, "a multi-sample texture"));
    }
    m.flag("base");
    let level = m.flag("level");
    let geometry = m.required(TEXTURES, "a geometry")?;
    if m.flag("v2") {
        return Err(unsupported(i, "a fetch of packed halves (.v2.f16x2)"));
    }
    m.required(&[("v4", ())], "a vector of four results")?;
    let ty = m.ty(&[Type::F32, Type::U32, Type::S32])?;
    let coordinate = m.ty(if geometry.is_cube() { &[Type::F32] } else { &[Type::F32, Type::S32] })?;
    let expected = "{d0, d1, d2, d3}, [handle, {coordinates}], and with .level the level";
    let (d, at, lod) = match (i.operands.as_slice(), level) {
        ([d, at], false) => (d, at, None),
        ([d, at, lod], true) => (d, at, Some(lod)),
        ([_, _, _], false) | ([_, _, _, _, ..], _) => {
            return Err(unsupported(i, "an offset or a depth comparison of a texture fetch"));
        }
        _ => return Err(malformed(i, expected)),
    };
    if matches!(d.kind, OperandKind::Pair(..)) {
        return Err(unsupported(i, "a predicate that tells residency"));
    }
    let place = place(i, at)?;
    let mut instr = l.new_instr(Op::Tex { geometry, ty, integer: coordinate == Type::S32 });
    push_place(l, &mut instr, geometry, coordinate, place)?;
    if let Some(lod) = lod {
        instr.srcs.push(l.source(lod, coordinate)?);
    }
    if instr.source_regs().len() > NUM_SOURCES {
        return Err(unsupported(i, "a fetch with more than six source registers"));
    }
    for element in &elements(l, d, 4)? {
        instr.dsts.extend(l.destination(element, ty)?);
    }
    l.emit(instr);
    Ok(())
}

/// What the modifiers of a surface access say, and the registers of its address.
struct Surface {
    address: IrOperand,
    /// Where something is accessed, with `.zero`.
    accessed: Option<Pred>,
    ty: Type,
    vector: u8,
    cache: CacheOp,
}

fn surface(
    l: &mut Lowering<'_>,
    i: &Instruction,
    m: &Modifiers<'_>,
    caches: &[(&'static str, CacheOp)],
    at: &Operand,
) -> Lowered<Surface> {
    if m.flag("p") {
        return Err(unsupported(i, "a formatted surface access (.p)"));
    }
    m.required(&[("b", ())], "a kind of access")?;
    let geometry = m.required(SURFACES, "a geometry")?;
    let cache = m.choice(caches).unwrap_or_default();
    let vector = m.choice(&[("v2", 2u8), ("v4", 4)]).unwrap_or(1);
    let ty = m.ty(&[Type::B8, Type::B16, Type::B32, Type::B64])?;
    let boundary = m.choice(BOUNDARIES).unwrap_or(Boundary::Trap);
    if vector == 4 && ty.words() == 2 {
        return Err(unsupported(i, "a vector of more than 128 bits"));
    }
    let bytes = vector * ty.bytes() as u8;
    let mut instr = l.new_instr(Op::SurfaceAddress { geometry, boundary, bytes });
    push_place(l, &mut instr, geometry, Type::S32, place(i, at)?)?;
    let pair = fresh_pair(l, at)?;
    instr.dsts.extend(pair.iter().copied());
    let mut accessed = None;
    if boundary == Boundary::Zero {
        let pred = l.fresh_pred(at.span)?;
        if instr.guard.is_some() {
            // Lanes where the guard fails access nothing.
            let mut none = l.new_instr(Op::Pred { op: PredAlu::Mov });
            none.guard = None;
            none.pred_srcs.push(PredOperand::Const(false));
            none.pred_dsts.push(pred);
            l.emit(none);
        }
        instr.pred_dsts.push(pred);
        accessed = Some(pred);
    }
    l.emit(instr);
    Ok(Surface { address: IrOperand::Pair(pair[0]), accessed, ty, vector, cache })
}

impl Surface {
    /// An instruction of the lanes that access something.
    fn access(&self, l: &Lowering<'_>, op: Op) -> Instr {
        let mut instr = l.new_instr(op);
        if let Some(pred) = self.accessed {
            instr.guard = Some(Guard { pred, negated: false });
        }
        instr.srcs.push(self.address);
        instr
    }
}

fn suld(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let [d, at] = super::operands::<2>(i)?;
    let surface = surface(l, i, m, LOAD_CACHE, at)?;
    let Surface { ty, vector, cache, .. } = surface;
    let mut load = surface.access(l, Op::Ld { space: Space::Global, ty, vector, cache });
    let mut high_words: SmallVec<[_; 4]> = SmallVec::new();
    for element in &elements(l, d, vector)? {
        let (declared, mut dsts) = l.destination_by(element, ty, types::agree_wider)?;
        if surface.accessed.is_some() {
            let ty = if declared.words() == 2 { Type::B64 } else { Type::B32 };
            l.alu(Alu::Mov, ty, Mods::default(), dsts.clone(), &[IrOperand::Imm(0)]);
        }
        if declared.words() > ty.words() {
            let high = dsts.pop();
            high_words.extend(high.map(|high| (dsts[0], high)));
        }
        load.dsts.extend(dsts);
    }
    l.emit(load);
    for (low, high) in high_words {
        l.extend_high(ty, low, high);
    }
    Ok(())
}

fn sust(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let [at, value] = super::operands::<2>(i)?;
    let surface = surface(l, i, m, STORE_CACHE, at)?;
    let Surface { ty, vector, cache, .. } = surface;
    let mut store = surface.access(l, Op::St { space: Space::Global, ty, vector, cache });
    for element in &elements(l, value, vector)? {
        store.srcs.push(l.source_by(element, ty, types::agree_wider)?);
    }
    l.emit(store);
    Ok(())
}
