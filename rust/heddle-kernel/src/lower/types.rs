//! PTX type names and which registers an instruction type takes.

use heddle_isa::Type;

use super::Lowered;
use crate::ast::Word;
use crate::diagnostic::{Diagnostic, DiagnosticKind};

/// Types of the IR by their PTX names.
pub(super) const NAMES: &[(&str, Type)] = &[
    ("pred", Type::Pred),
    ("b8", Type::B8),
    ("u8", Type::U8),
    ("s8", Type::S8),
    ("b16", Type::B16),
    ("u16", Type::U16),
    ("s16", Type::S16),
    ("f16", Type::F16),
    ("bf16", Type::Bf16),
    ("b32", Type::B32),
    ("u32", Type::U32),
    ("s32", Type::S32),
    ("f32", Type::F32),
    ("f16x2", Type::F16x2),
    ("bf16x2", Type::Bf16x2),
    ("tf32", Type::Tf32),
    ("b64", Type::B64),
    ("u64", Type::U64),
    ("s64", Type::S64),
    ("f64", Type::F64),
    ("b128", Type::B128),
];

/// Types that PTX has and the IR has not.
const FOREIGN: &[&str] =
    &["s16x2", "u16x2", "f32x2", "e4m3", "e5m2", "e4m3x2", "e5m2x2", "e2m1x2", "e2m3x2", "e3m2x2", "ue8m0x2"];

/// The type called `name`.
pub(super) fn by_name(name: &str) -> Option<Type> {
    NAMES.iter().find(|(n, _)| *n == name).map(|&(_, ty)| ty)
}

/// The type that `word` names, which is known to be a type of PTX.
pub(super) fn declared(word: &Word) -> Lowered<Type> {
    by_name(&word.text).ok_or_else(|| {
        Diagnostic::new(
            DiagnosticKind::Unsupported,
            word.span,
            format!("variables of type .{} are not supported", word.text),
        )
    })
}

/// Whether `name` is a type of PTX that the IR lacks.
pub(super) fn is_foreign(name: &str) -> bool {
    FOREIGN.contains(&name)
}

/// Whether an operand of type `register` may stand where an instruction wants `wanted`: the same
/// size, and the same float or both integers; untyped bits fit all.
pub(super) fn agree(wanted: Type, register: Type) -> bool {
    wanted.bits() == register.bits() && classes_agree(wanted, register)
}

/// As [`agree`], but for loads, stores and conversions, where the register may be wider, up to 64 bits.
pub(super) fn agree_wider(wanted: Type, register: Type) -> bool {
    if register == Type::B128 {
        return wanted == register;
    }
    register != Type::Pred
        && (agree(wanted, register)
            || (register.bits() > wanted.bits() && !register.is_float() && !wanted.is_float())
            || (register.bits() > wanted.bits() && is_bits(register)))
}

fn classes_agree(a: Type, b: Type) -> bool {
    is_bits(a) || is_bits(b) || if a.is_float() { a == b } else { !b.is_float() }
}

/// Untyped bits.
pub(super) fn is_bits(ty: Type) -> bool {
    matches!(ty, Type::B8 | Type::B16 | Type::B32 | Type::B64 | Type::B128)
}
