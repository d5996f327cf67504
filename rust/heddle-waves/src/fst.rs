//! VCD to FST.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use fst_writer::{
    FstBodyWriter, FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType,
    FstVarDirection, FstVarType,
};
use vcd::{Command, IdCode, Parser, ScopeItem, ScopeType, TimescaleUnit, Value, VarType};

use crate::WaveError;
use heddle_files::temporary;

/// Value changes are flushed when they take this many bytes.
const FLUSH_BYTES: usize = 64 << 20;

/// Writes the FST file `fst` with the contents of the VCD file `vcd`: same scopes, names and changes.
///
/// # Errors
/// The VCD cannot be read or parsed, or the FST cannot be written.
pub fn vcd_to_fst(vcd: &Path, fst: &Path) -> Result<(), WaveError> {
    let bad = |message: String| WaveError::Vcd { path: vcd.to_owned(), message };
    let write = |e: fst_writer::FstWriteError| WaveError::Write {
        path: fst.to_owned(),
        source: std::io::Error::other(e.to_string()),
    };
    let file = File::open(vcd).map_err(|source| WaveError::Read { path: vcd.to_owned(), source })?;
    let mut parser = Parser::new(BufReader::new(file));
    let header = parser.parse_header().map_err(|e| bad(e.to_string()))?;
    let info = FstInfo {
        start_time: 0,
        timescale_exponent: exponent(header.timescale),
        version: header.version.clone().unwrap_or_default(),
        date: header.date.clone().unwrap_or_default(),
        file_type: FstFileType::Verilog,
    };
    let io = |source| WaveError::Write { path: fst.to_owned(), source };
    let target = temporary(fst).map_err(io)?;
    let out = std::io::BufWriter::new(target.reopen().map_err(io)?);
    let mut writer = FstHeaderWriter::new(out, &info).map_err(write)?;
    let mut ids: HashMap<IdCode, (FstSignalId, usize)> = HashMap::new();
    declare(&mut writer, &header.items, &mut ids).map_err(write)?;
    let mut body = writer.finish().map_err(write)?;
    copy_changes(&mut parser, &mut body, &ids, bad, write)?;
    let mut out = body.finish().map_err(write)?;
    std::io::Write::flush(&mut out).map_err(io)?;
    out.get_ref().sync_all().map_err(io)?;
    target.persist(fst).map_err(|e| io(e.error))?;
    Ok(())
}

fn copy_changes<W: std::io::Write + std::io::Seek>(
    parser: &mut Parser<BufReader<File>>,
    body: &mut FstBodyWriter<W>,
    ids: &HashMap<IdCode, (FstSignalId, usize)>,
    bad: impl Fn(String) -> WaveError,
    write: impl Fn(fst_writer::FstWriteError) -> WaveError + Copy,
) -> Result<(), WaveError> {
    let mut bits = Vec::new();
    for command in parser {
        let (id, change): (IdCode, &[u8]) = match command.map_err(|e| bad(e.to_string()))? {
            Command::Timestamp(time) => {
                body.time_change(time).map_err(write)?;
                if body.size() > FLUSH_BYTES {
                    body.flush().map_err(write)?;
                }
                continue;
            }
            Command::ChangeScalar(id, value) => {
                bits.clear();
                bits.push(character(value));
                (id, &bits)
            }
            Command::ChangeVector(id, values) => {
                bits.clear();
                let width = ids.get(&id).map_or(values.len(), |(_, width)| *width);
                // Leading bits that VCD leaves out are zero, or x and z when the first bit is.
                let first = values.get(0).unwrap_or(Value::V0);
                let fill = if first == Value::V1 { Value::V0 } else { first };
                bits.resize(width.saturating_sub(values.len()), character(fill));
                bits.extend(values.iter().map(character));
                (id, &bits)
            }
            _ => continue,
        };
        let (signal, width) = ids.get(&id).ok_or_else(|| bad(format!("change of undeclared signal {id}")))?;
        if change.len() != *width {
            return Err(bad(format!("change of {} bits for a signal of {width}", change.len())));
        }
        body.signal_change(*signal, change).map_err(write)?;
    }
    Ok(())
}

fn declare<W: std::io::Write + std::io::Seek>(
    writer: &mut FstHeaderWriter<W>,
    items: &[ScopeItem],
    ids: &mut HashMap<IdCode, (FstSignalId, usize)>,
) -> Result<(), fst_writer::FstWriteError> {
    for item in items {
        match item {
            ScopeItem::Scope(scope) => {
                let kind = match scope.scope_type {
                    ScopeType::Task => FstScopeType::Task,
                    ScopeType::Function => FstScopeType::Function,
                    ScopeType::Begin => FstScopeType::Begin,
                    ScopeType::Fork => FstScopeType::Fork,
                    _ => FstScopeType::Module,
                };
                writer.scope(&scope.identifier, "", kind)?;
                declare(writer, &scope.items, ids)?;
                writer.up_scope()?;
            }
            ScopeItem::Var(var) => {
                let kind = match var.var_type {
                    VarType::Wire => FstVarType::Wire,
                    VarType::Integer => FstVarType::Integer,
                    VarType::Parameter => FstVarType::Parameter,
                    _ => FstVarType::Reg,
                };
                let name = match var.index {
                    Some(range) => format!("{} {range}", var.reference),
                    None => var.reference.clone(),
                };
                let alias = ids.get(&var.code).map(|(id, _)| *id);
                let ty = FstSignalType::bit_vec(var.size);
                let id = writer.var(name, ty, kind, FstVarDirection::Implicit, alias)?;
                ids.insert(var.code, (id, var.size as usize));
            }
            _ => {}
        }
    }
    Ok(())
}

fn character(value: Value) -> u8 {
    match value {
        Value::V0 => b'0',
        Value::V1 => b'1',
        Value::X => b'x',
        Value::Z => b'z',
    }
}

/// Power of ten of the time unit.
fn exponent(timescale: Option<(u32, TimescaleUnit)>) -> i8 {
    let Some((factor, unit)) = timescale else { return -9 };
    let unit = match unit {
        TimescaleUnit::S => 0,
        TimescaleUnit::MS => -3,
        TimescaleUnit::US => -6,
        TimescaleUnit::NS => -9,
        TimescaleUnit::PS => -12,
        TimescaleUnit::FS => -15,
    };
    match factor {
        100.. => unit + 2,
        10..100 => unit + 1,
        _ => unit,
    }
}
