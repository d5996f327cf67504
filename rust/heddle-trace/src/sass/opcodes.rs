//! Opcodes that an operation suggests, and those that each unit has for any registers.

use heddle_isa::{Alu, AtomicOp, CacheOp, Instr, Op, ShflMode, Space, Type, Unit};

/// Opcodes of a unit by shape: one destination, two, none.
pub fn of_unit(unit: Unit) -> &'static [&'static str] {
    match unit {
        Unit::Int => &["MOV", "MOV.64", "ISETP.NE.AND"],
        Unit::IntMultiply => &["IMAD", "IMAD.WIDE", "IMUL.WIDE"],
        Unit::Fp32 => &["FFMA", "FSETP.NE.AND"],
        Unit::Sfu => &["MUFU.RCP", "MUFU.64"],
        Unit::Fp64 => &["DFMA", "DSETP.NE.AND", "F2F.F64.F32", "F2F.F32.F64", "F2F.F64.F64"],
        Unit::Tensor => &["HMMA"],
        Unit::Exchange => &["SHFL.IDX", "MATCH.ANY"],
        Unit::LoadStore | Unit::Branch | Unit::Control => &[],
    }
}

/// Opcodes for an operation, the likeliest first.
pub fn of(instr: &Instr) -> Vec<&'static str> {
    match &instr.op {
        Op::Alu { op, ty, .. } => alu(*op, *ty),
        Op::Cvt { to, from, .. } => conversion(*to, *from),
        Op::Setp { ty, .. } => comparison(*ty),
        Op::Set { .. } => vec!["FSET.BF.NE.AND", "SEL"],
        Op::Testp { ty, .. } => comparison(*ty),
        Op::Selp { .. } => vec!["SEL", "SEL.64"],
        Op::Pred { .. } => vec!["PLOP3.LUT"],
        Op::Ld { .. } => vec!["LDC", "LDC.64", "LDC.128"],
        Op::Shfl { mode } => vec![shuffle(*mode)],
        Op::Vote { .. } | Op::Activemask | Op::Elect => vec!["VOTE.ANY"],
        Op::Match { .. } => vec!["MATCH.ANY"],
        Op::BarrierResult { .. } => vec!["B2R.RESULT"],
        Op::Clock => vec!["CS2R", "CS2R.32"],
        Op::Tex { .. } => vec!["TEX"],
        _ => Vec::new(),
    }
}

fn alu(op: Alu, ty: Type) -> Vec<&'static str> {
    let half = matches!(ty, Type::F16 | Type::F16x2 | Type::Bf16 | Type::Bf16x2);
    match (op, ty) {
        (Alu::Add | Alu::Sub, Type::F64) => vec!["DADD"],
        (Alu::Mul, Type::F64) => vec!["DMUL"],
        (_, Type::F64) => vec!["DFMA"],
        (Alu::Add | Alu::Sub, _) if half => vec!["HADD2"],
        (Alu::Mul, _) if half => vec!["HMUL2"],
        (Alu::Fma | Alu::Mad, _) if half => vec!["HFMA2"],
        (Alu::Add | Alu::Sub, Type::F32) => vec!["FADD"],
        (Alu::Mul, Type::F32) => vec!["FMUL"],
        (Alu::Min | Alu::Max, Type::F32) => vec!["FMNMX"],
        (Alu::Sqrt, _) => vec!["MUFU.SQRT"],
        (Alu::Rsqrt, _) => vec!["MUFU.RSQ"],
        (Alu::Sin, _) => vec!["MUFU.SIN"],
        (Alu::Cos, _) => vec!["MUFU.COS"],
        (Alu::Ex2, _) => vec!["MUFU.EX2"],
        (Alu::Lg2, _) => vec!["MUFU.LG2"],
        (Alu::Tanh, _) => vec!["MUFU.TANH"],
        (Alu::Add | Alu::Sub | Alu::Neg | Alu::Abs, _) => vec!["IADD3", "IADD3.64"],
        (Alu::MulWide | Alu::MadWide, _) => vec!["IMAD.WIDE"],
        (Alu::MulHi | Alu::MadHi, _) => vec!["IMAD.HI", "IMAD"],
        (Alu::And | Alu::Or | Alu::Xor | Alu::Not | Alu::Lop3, _) => vec!["LOP3.LUT", "LOP3.LUT.64"],
        (Alu::Shl | Alu::Shr | Alu::ShfL | Alu::ShfR, _) => vec!["SHF", "SHF.64"],
        (Alu::Min | Alu::Max, _) => vec!["IMNMX", "IMNMX.64"],
        (Alu::Prmt | Alu::PrmtMode(_) | Alu::Pack | Alu::Unpack, _) => vec!["PRMT", "PRMT.64"],
        (Alu::Popc, _) => vec!["POPC"],
        (Alu::Clz | Alu::Bfind, _) => vec!["FLO"],
        (Alu::Brev, _) => vec!["BREV"],
        (Alu::Bmsk, _) => vec!["BMSK"],
        (Alu::Szext, _) => vec!["SGXT"],
        (Alu::Dp4a(_) | Alu::Dp2a { .. }, _) => vec!["IDP"],
        _ => Vec::new(),
    }
}

fn comparison(ty: Type) -> Vec<&'static str> {
    match ty {
        Type::F64 => vec!["DSETP.NE.AND"],
        Type::F16 | Type::F16x2 | Type::Bf16 | Type::Bf16x2 => vec!["HSETP2.NE.AND"],
        _ if ty.is_float() => vec!["FSETP.NE.AND"],
        _ => vec!["ISETP.NE.AND"],
    }
}

fn conversion(to: Type, from: Type) -> Vec<&'static str> {
    match (to.is_float(), from.is_float()) {
        (true, true) => vec!["F2F.F32.F64", "F2F.F64.F32", "F2F.F64.F64", "F2F"],
        (true, false) => vec!["I2F.F64.S64", "I2F.F64", "I2F.S64", "I2F"],
        (false, true) => vec!["F2I.S64.F64", "F2I.F64", "F2I.S64", "F2I"],
        (false, false) => vec!["I2I"],
    }
}

fn shuffle(mode: ShflMode) -> &'static str {
    match mode {
        ShflMode::Up => "SHFL.UP",
        ShflMode::Down => "SHFL.DOWN",
        ShflMode::Bfly => "SHFL.BFLY",
        ShflMode::Idx => "SHFL.IDX",
    }
}

/// A memory access.
pub struct Access {
    name: &'static str,
    operation: &'static str,
    cache: &'static str,
    signed: bool,
    /// Bytes of a lane.
    pub bytes: u32,
}

impl Access {
    /// The opcode, with an address of 32 or 64 bits.
    pub fn opcode(&self, wide_address: bool) -> String {
        let width = match (self.bytes, self.signed) {
            (1, false) => ".U8",
            (1, true) => ".S8",
            (2, false) => ".U16",
            (2, true) => ".S16",
            (8, _) => ".64",
            (16, _) => ".128",
            _ => "",
        };
        let address = if wide_address { ".E" } else { "" };
        format!("{}{address}{}{width}{}", self.name, self.operation, self.cache)
    }
}

/// The load, store or atomic of the load-store unit that an instruction is.
pub fn access(instr: &Instr) -> Option<Access> {
    let found = |name, ty: Type, elements: u8, cache| Access {
        name,
        operation: "",
        cache,
        signed: ty.is_signed(),
        bytes: ty.bytes() * u32::from(elements),
    };
    Some(match instr.op {
        Op::Ld { space: Space::Param | Space::Const, .. } => return None,
        Op::Ld { space, ty, vector, cache: operator } => {
            let name = match space {
                Space::Global => "LDG",
                Space::Shared => "LDS",
                Space::Local => "LDL",
                _ => "LD",
            };
            found(name, ty, vector, cache(operator))
        }
        Op::St { space, ty, vector, cache: operator } => {
            let name = match space {
                Space::Global => "STG",
                Space::Shared => "STS",
                Space::Local => "STL",
                _ => "ST",
            };
            found(name, ty, vector, cache(operator))
        }
        Op::Atom { space, op, ty } => {
            let name = match (space, instr.dsts.is_empty()) {
                (Space::Shared, _) => "ATOMS",
                (_, true) => "RED",
                (Space::Global, false) => "ATOMG",
                _ => "ATOM",
            };
            Access { operation: atomic(op), ..found(name, ty, 1, "") }
        }
        _ => return None,
    })
}

fn cache(operator: CacheOp) -> &'static str {
    match operator {
        CacheOp::Ca | CacheOp::Lu => "",
        CacheOp::Cs => ".EF",
        CacheOp::Cg => ".STRONG.GPU",
        CacheOp::Cv | CacheOp::Volatile => ".STRONG.SYS",
        CacheOp::Nc => ".CONSTANT",
    }
}

fn atomic(op: AtomicOp) -> &'static str {
    match op {
        AtomicOp::Add => ".ADD",
        AtomicOp::Min => ".MIN",
        AtomicOp::Max => ".MAX",
        AtomicOp::And => ".AND",
        AtomicOp::Or => ".OR",
        AtomicOp::Xor => ".XOR",
        AtomicOp::Exch => ".EXCH",
        AtomicOp::Cas => ".CAS",
        AtomicOp::Inc => ".INC",
        AtomicOp::Dec => ".DEC",
    }
}
