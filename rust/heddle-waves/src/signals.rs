//! The signals that a VCD file declares.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use vcd::{Parser, ScopeItem};

use crate::WaveError;

/// One declared signal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signal {
    /// Scopes and name, joined by dots, without the bit range.
    pub path: String,
    /// Bits.
    pub width: u32,
    /// Bit range as declared, such as `[7:0]`, or empty.
    pub range: String,
}

/// All signals of a VCD file in declaration order.
///
/// # Errors
/// The file cannot be read or is not VCD.
pub fn read_signals(path: &Path) -> Result<Vec<Signal>, WaveError> {
    let file = File::open(path).map_err(|source| WaveError::Read { path: path.to_owned(), source })?;
    let header = Parser::new(BufReader::new(file))
        .parse_header()
        .map_err(|e| WaveError::Vcd { path: path.to_owned(), message: e.to_string() })?;
    let mut out = Vec::new();
    collect("", &header.items, &mut out);
    Ok(out)
}

fn collect(prefix: &str, items: &[ScopeItem], out: &mut Vec<Signal>) {
    let join = |name: &str| if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") };
    for item in items {
        match item {
            ScopeItem::Scope(scope) => collect(&join(&scope.identifier), &scope.items, out),
            ScopeItem::Var(var) => out.push(Signal {
                path: join(&var.reference),
                width: var.size,
                range: var.index.map_or(String::new(), |i| i.to_string()),
            }),
            _ => {}
        }
    }
}
