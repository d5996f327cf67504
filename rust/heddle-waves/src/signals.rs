//! The signals that a VCD file declares.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use vcd::{Command, IdCode, Parser, ScopeItem, Value};

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

/// The first time at which one of the signals `is_wanted` (by path) is 1; signals of several bits do not count.
///
/// # Errors
/// The file cannot be read or is not VCD.
pub fn first_high(path: &Path, is_wanted: impl Fn(&str) -> bool) -> Result<Option<u64>, WaveError> {
    let bad = |message: String| WaveError::Vcd { path: path.to_owned(), message };
    let file = File::open(path).map_err(|source| WaveError::Read { path: path.to_owned(), source })?;
    let mut parser = Parser::new(BufReader::new(file));
    let header = parser.parse_header().map_err(|e| bad(e.to_string()))?;
    let mut codes = Vec::new();
    codes_of("", &header.items, &is_wanted, &mut codes);
    let mut now = 0;
    for command in parser {
        match command.map_err(|e| bad(e.to_string()))? {
            Command::Timestamp(time) => now = time,
            Command::ChangeScalar(code, Value::V1) if codes.contains(&code) => return Ok(Some(now)),
            _ => {}
        }
    }
    Ok(None)
}

fn codes_of(prefix: &str, items: &[ScopeItem], is_wanted: &impl Fn(&str) -> bool, out: &mut Vec<IdCode>) {
    let join = |name: &str| if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") };
    for item in items {
        match item {
            ScopeItem::Scope(scope) => codes_of(&join(&scope.identifier), &scope.items, is_wanted, out),
            ScopeItem::Var(var) if is_wanted(&join(&var.reference)) => out.push(var.code),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_event_is_the_first_one_of_a_wanted_signal() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("x.vcd");
        let text = "$timescale 1ps $end\n$scope module TOP $end\n$var wire 1 ! a $end\n$scope module x $end\n\
                    $var wire 1 \" valid $end\n$upscope $end\n$upscope $end\n$enddefinitions $end\n\
                    #0\n1!\n0\"\n#1000\n0!\n#2000\n1\"\n#3000\n0\"\n";
        std::fs::write(&path, text).expect("writable");
        let first = |wanted: &str| first_high(&path, |name| name == wanted).expect("VCD");
        assert_eq!((first("TOP.x.valid"), first("TOP.a"), first("TOP.b")), (Some(2000), Some(0), None));
    }
}
