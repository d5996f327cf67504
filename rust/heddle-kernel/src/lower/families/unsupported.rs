//! Instructions of PTX that have no rule, and why.

use crate::ast::Word;
use crate::diagnostic::{Diagnostic, DiagnosticKind};

/// Groups of opcodes, and what a message says of them.
const GROUPS: &[(&str, &[&str])] = &[
    (
        "is a tensor-core instruction; tensor cores are not modelled",
        &["wmma", "mma", "ldmatrix", "stmatrix", "movmatrix", "wgmma", "tcgen05", "setmaxnreg"],
    ),
    (
        "needs a cluster of CTAs; clusters are not modelled",
        &["clusterlaunchcontrol", "getctarank", "mapa", "multimem"],
    ),
    ("is an asynchronous copy or barrier; those are not modelled", &["cp", "mbarrier", "tensormap"]),
    ("moves the stack pointer; dynamic stacks are not modelled", &["alloca", "stackrestore", "stacksave"]),
    ("is not supported", &["istypep", "suq", "sured", "tld4", "txq"]),
];

/// All of them.
pub(super) fn opcodes() -> impl Iterator<Item = &'static str> {
    GROUPS.iter().flat_map(|(_, opcodes)| opcodes.iter().copied())
}

/// The message about `opcode`, if it is one of them.
pub(super) fn fault(opcode: &Word) -> Option<Diagnostic> {
    let (reason, _) = GROUPS.iter().find(|(_, opcodes)| opcodes.contains(&opcode.text.as_str()))?;
    let message = format!("instruction '{}' {reason}", opcode.text);
    Some(Diagnostic::new(DiagnosticKind::Unsupported, opcode.span, message))
}
