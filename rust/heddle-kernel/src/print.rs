//! Programs as text.

use std::fmt::Write as _;

use heddle_isa::{Alu, Constant, Instr, Op, Operand, PredOperand, Program, Signs, Space};

/// One instruction: guard, operation, destinations, sources.
#[must_use]
pub fn instr_text(instr: &Instr) -> String {
    let mut text = String::new();
    if let Some(guard) = instr.guard {
        let not = if guard.negated { "!" } else { "" };
        let _ = write!(text, "@{not}{} ", guard.pred);
    }
    text.push_str(&op_text(&instr.op));
    let mut operands: Vec<String> = Vec::new();
    operands.extend(instr.dsts.iter().map(ToString::to_string));
    operands.extend(instr.pred_dsts.iter().map(ToString::to_string));
    let has_destination = !operands.is_empty();
    let mut sources: Vec<String> = Vec::new();
    for (i, source) in instr.srcs.iter().enumerate() {
        let shown = operand_text(source);
        let is_address = i == 0 && matches!(instr.op, Op::Ld { .. } | Op::St { .. } | Op::Atom { .. });
        sources.push(match (is_address, instr.offset) {
            (true, 0) => format!("[{shown}]"),
            (true, offset) => format!("[{shown}{offset:+}]"),
            (false, _) => shown,
        });
    }
    for source in &instr.pred_srcs {
        sources.push(match *source {
            PredOperand::Reg { pred, negated } => format!("{}{pred}", if negated { "!" } else { "" }),
            PredOperand::Const(value) => value.to_string(),
        });
    }
    if has_destination {
        let _ = write!(text, " {}", operands.join(", "));
    }
    if !sources.is_empty() {
        let arrow = if has_destination { " <- " } else { " " };
        let _ = write!(text, "{arrow}{}", sources.join(", "));
    }
    text
}

fn operand_text(operand: &Operand) -> String {
    match *operand {
        Operand::Reg(r) => r.to_string(),
        Operand::Pair(r) => format!("{r}:{}", r.0 + 1),
        Operand::Imm(value) if value < 1024 => value.to_string(),
        Operand::Imm(value) => format!("{value:#x}"),
        Operand::Special(special) => format!("%{special:?}").to_lowercase(),
        Operand::Constant(Constant { space, offset, words }) => {
            let bank = if space == Space::Param { "param" } else { "const" };
            format!("{bank}[{offset:#x}].b{}", 32 * u32::from(words))
        }
    }
}

/// The operation in PTX-like spelling.
fn op_text(op: &Op) -> String {
    let lower = |value: &dyn std::fmt::Debug| format!("{value:?}").to_lowercase();
    match op {
        Op::Alu { op, ty, mods } => format!("{}{}.{}", alu_text(*op), mods_text(mods), ty.name()),
        Op::Cvt { to, from, mods } => format!("cvt{}.{}.{}", mods_text(mods), to.name(), from.name()),
        Op::Setp { cmp, ty, ftz, combine } => format!(
            "setp.{}{}{}.{}",
            lower(cmp),
            combine.map_or(String::new(), |c| format!(".{}", lower(&c))),
            if *ftz { ".ftz" } else { "" },
            ty.name()
        ),
        Op::Set { cmp, ty, to, ftz, combine } => format!(
            "set.{}{}{}.{}.{}",
            lower(cmp),
            combine.map_or(String::new(), |c| format!(".{}", lower(&c))),
            if *ftz { ".ftz" } else { "" },
            to.name(),
            ty.name()
        ),
        Op::Testp { test, ty } => format!("testp.{}.{}", lower(test), ty.name()),
        Op::Selp { ty } => format!("selp.{}", ty.name()),
        Op::Pred { op } => format!("{}.pred", lower(op)),
        Op::Ld { space, ty, vector, cache } => {
            format!("ld.{}.{}{}.{}", lower(space), lower(cache), vector_text(*vector), ty.name())
        }
        Op::St { space, ty, vector, cache } => {
            format!("st.{}.{}{}.{}", lower(space), lower(cache), vector_text(*vector), ty.name())
        }
        Op::Atom { space, op, ty } => format!("atom.{}.{}.{}", lower(space), lower(op), ty.name()),
        Op::Tex { geometry, ty, integer } => {
            format!("tex.{geometry}.v4.{}.{}", ty.name(), if *integer { "s32" } else { "f32" })
        }
        Op::SurfaceAddress { geometry, boundary, bytes } => {
            format!("suaddr.{geometry}.{bytes}.{}", lower(boundary))
        }
        Op::Bra { target, reconvergence } => match reconvergence {
            Some(pc) => format!("bra {target} (meet at {pc})"),
            None => format!("bra {target} (meet at exit)"),
        },
        Op::Exit => "exit".to_owned(),
        Op::Bar { kind } => format!("bar.{}", lower(kind)),
        Op::BarrierResult { reduction } => format!("barresult.{}", lower(reduction)),
        Op::WarpSync => "bar.warp.sync".to_owned(),
        Op::Shfl { mode } => format!("shfl.{}.b32", lower(mode)),
        Op::Vote { mode } => format!("vote.{}", lower(mode)),
        Op::Match { mode, ty } => format!("match.{}.{}", lower(mode), ty.name()),
        Op::Redux { op, ty } => format!("redux.{}.{}", lower(op), ty.name()),
        Op::Activemask => "activemask.b32".to_owned(),
        Op::Elect => "elect".to_owned(),
        Op::Clock => "clock".to_owned(),
        Op::Trap => "trap".to_owned(),
        Op::Fence { level } => format!("fence.{}", lower(level)),
        Op::Nop => "nop".to_owned(),
        Op::Traced(_) => "traced".to_owned(),
    }
}

/// A register operation, with what its variants carry as modifiers.
fn alu_text(op: Alu) -> String {
    let lower = |value: &dyn std::fmt::Debug| format!("{value:?}").to_lowercase();
    let half = |high: bool| if high { "hi" } else { "lo" };
    let signs = |s: Signs| {
        let name = |signed: bool| if signed { "s32" } else { "u32" };
        format!(".{}.{}", name(s.first), name(s.second))
    };
    match op {
        Alu::PrmtMode(mode) => format!("prmt.{}", lower(&mode)),
        Alu::Dp4a(s) => format!("dp4a{}", signs(s)),
        Alu::Dp2a { signs: s, high } => format!("dp2a.{}{}", half(high), signs(s)),
        Alu::Mul24 { high } => format!("mul24.{}", half(high)),
        Alu::Mad24 { high } => format!("mad24.{}", half(high)),
        Alu::Video(video) => video.to_string(),
        other => lower(&other),
    }
}

fn vector_text(vector: u8) -> String {
    if vector > 1 { format!(".v{vector}") } else { String::new() }
}

fn mods_text(mods: &heddle_isa::Mods) -> String {
    let mut text = String::new();
    if let Some(rounding) = mods.rounding {
        let _ = write!(text, ".{}", format!("{rounding:?}").to_lowercase());
    }
    let flags = [
        (mods.approx, ".approx"),
        (mods.full, ".full"),
        (mods.ftz, ".ftz"),
        (mods.sat, ".sat"),
        (mods.nan, ".nan"),
        (mods.xorsign, ".xorsign"),
        (mods.relu, ".relu"),
        (mods.alternate, ".alt"),
        (mods.carry_out, ".cc"),
        (mods.carry_in, ".c"),
    ];
    for (_, name) in flags.iter().filter(|(set, _)| *set) {
        text.push_str(name);
    }
    text
}

/// The whole program: a header, then the instructions by block.
#[must_use]
pub fn program_text(program: &Program) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "kernel {}: {} registers ({}), {} predicates, {} bytes of parameters, {} shared, {} local",
        program.name,
        program.num_regs,
        if program.allocated { "architectural" } else { "virtual" },
        program.num_preds,
        program.param_bytes,
        program.shared_bytes,
        program.local_bytes,
    );
    for param in &program.params {
        let _ = writeln!(text, "param {} at {}, {} bytes", param.name, param.offset, param.bytes);
    }
    for (b, block) in program.blocks.iter().enumerate() {
        let list = |blocks: &[usize]| {
            let names: Vec<String> = blocks.iter().map(|b| format!("B{b}")).collect();
            names.join(" ")
        };
        let _ =
            writeln!(text, "B{b}:  from [{}] to [{}]", list(&block.predecessors), list(&block.successors));
        for pc in crate::cfg::pcs(block) {
            let instr = &program.instrs[pc.index()];
            let place = match program.source.is_joined() {
                true => program.source.spelt(instr.loc),
                false => instr.loc.to_string(),
            };
            let _ = writeln!(text, "  {:>5}  {:<60} ; {}", pc.0, instr_text(instr), place);
        }
    }
    text
}
