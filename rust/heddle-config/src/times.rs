//! Cycles of the register file, in eighths where they are those of a bank, and the times from which they follow.

use toml::{Table, Value};

use crate::error::ConfigError;
use crate::overrides::{Override, set_option};
use crate::preset::Preset;

/// Keys of the table `register_file` that stand for each other: cycles, and the time from which they follow.
pub(crate) const TIMES: [(&str, &str); 3] = [
    ("register_file.bank_cycles", "register_file.read_ps"),
    ("register_file.write_cycles", "register_file.write_ps"),
    ("register_file.shift_cycles", "register_file.shift_ps"),
];

/// Cycles of a bank, which may be written with a fraction, and the eighths of a cycle that stand for it.
const BANK: (&str, &str) = ("register_file.bank_cycles", "register_file.bank_eighths");

/// Name of a key of `register_file` in its table.
fn in_file(key: &str) -> &str {
    key.rsplit('.').next().unwrap_or(key)
}

/// Cycles that follow from a time.
const FROM_TIME: Value = Value::Integer(-1);

/// No time.
const NO_TIME: Value = Value::Integer(0);

/// Whole cycles and eighths of a number of cycles; `None` where it has no whole number of eighths.
fn eighths(cycles: f64) -> Option<(i64, i64)> {
    let all = cycles * 8.0;
    let whole = (0.0..=f64::from(u16::MAX)).contains(&all) && all.fract() == 0.0;
    whole.then_some((all as i64 / 8, all as i64 % 8))
}

/// Cycles of a bank with a fraction become whole cycles and eighths; cycles without one have no eighths.
pub(crate) fn split_cycles(origin: &str, root: &mut Table) -> Result<(), ConfigError> {
    let Some(Value::Table(file)) = root.get_mut("register_file") else { return Ok(()) };
    let part = match file.get(in_file(BANK.0)) {
        Some(Value::Float(cycles)) if file.contains_key(in_file(BANK.1)) => {
            return Err(fraction(origin, &format!("{cycles} beside '{}'", BANK.1)));
        }
        Some(Value::Float(cycles)) => {
            let (whole, part) = eighths(*cycles).ok_or_else(|| fraction(origin, &cycles.to_string()))?;
            file.insert(in_file(BANK.0).to_owned(), Value::Integer(whole));
            part
        }
        Some(_) if !file.contains_key(in_file(BANK.1)) => 0,
        _ => return Ok(()),
    };
    file.insert(in_file(BANK.1).to_owned(), Value::Integer(part));
    Ok(())
}

/// The changes that one stands for: cycles of a bank are whole cycles and eighths.
pub(crate) fn split_change(change: &Override) -> Result<Vec<Override>, ConfigError> {
    if change.key != BANK.0 {
        return Ok(vec![change.clone()]);
    }
    let (whole, part) = match change.value.parse::<f64>() {
        Ok(cycles) if change.value.contains('.') => {
            let wrong = || fraction(&set_option(change), &change.value);
            let (whole, part) = eighths(cycles).ok_or_else(wrong)?;
            (whole.to_string(), part)
        }
        _ => (change.value.clone(), 0),
    };
    let eighths = Override { key: BANK.1.to_owned(), value: part.to_string() };
    Ok(vec![Override { key: BANK.0.to_owned(), value: whole }, eighths])
}

fn fraction(origin: &str, found: &str) -> ConfigError {
    ConfigError::WrongType {
        origin: origin.to_owned(),
        key: BANK.0.to_owned(),
        expected: "cycles in whole eighths, such as 3 or 3.375".to_owned(),
        found: found.to_owned(),
    }
}

/// Whether a table gives no cycles beside their time.
pub(crate) fn check_one_of_each(origin: &str, root: &Table) -> Result<(), ConfigError> {
    let Some(Value::Table(file)) = root.get("register_file") else { return Ok(()) };
    for (cycles, time) in TIMES {
        let given = file.get(in_file(time)).is_some_and(|given| *given != NO_TIME);
        if given && file.contains_key(in_file(cycles)) {
            return Err(ConfigError::TimeAndCycles { origin: origin.to_owned(), cycles, time });
        }
    }
    Ok(())
}

/// Of cycles and their time a preset gives one: the other is added, and so are no eighths of a cycle.
pub(crate) fn complete_times(origin: &str, root: &mut Table) -> Result<(), ConfigError> {
    split_cycles(origin, root)?;
    check_one_of_each(origin, root)?;
    let Some(Value::Table(file)) = root.get_mut("register_file") else { return Ok(()) };
    file.entry(in_file(BANK.1)).or_insert(NO_TIME);
    for (cycles, time) in TIMES {
        match (file.contains_key(in_file(cycles)), file.get(in_file(time))) {
            (_, None) => file.insert(in_file(time).to_owned(), NO_TIME),
            (false, Some(_)) => file.insert(in_file(cycles).to_owned(), FROM_TIME),
            (true, Some(_)) => continue,
        };
    }
    Ok(())
}

/// The other keys that a key sets when it is set itself: what is given for them is lost. Cycles set their time, a time its cycles,
/// and either of a bank the eighths of a cycle.
#[must_use]
pub fn set_by(key: &str) -> Vec<&'static str> {
    let pair = TIMES.iter().find(|(cycles, time)| key == *cycles || key == *time);
    let other = pair.map(|&(cycles, time)| if key == cycles { time } else { cycles });
    let eighths = pair.filter(|&&(cycles, _)| cycles == BANK.0).map(|_| BANK.1);
    other.into_iter().chain(eighths).collect()
}

/// Cycles that are set count from then on, not the time; and a time, not the eighths of a cycle.
pub(crate) fn forget_time(root: &mut Table, key: &str) {
    let Some(Value::Table(file)) = root.get_mut("register_file") else { return };
    for (cycles, time) in TIMES {
        if key == cycles {
            file.insert(in_file(time).to_owned(), NO_TIME);
        }
    }
    if key == TIMES[0].1 {
        file.insert(in_file(BANK.1).to_owned(), NO_TIME);
    }
}

/// Cycles that are to follow from a time need one; they are 1 until they are derived.
pub(crate) fn settle_times(root: &mut Table) -> Result<(), ConfigError> {
    let Some(Value::Table(file)) = root.get_mut("register_file") else { return Ok(()) };
    for (cycles, time) in TIMES {
        if file.get(in_file(cycles)) != Some(&FROM_TIME) {
            continue;
        }
        if file.get(in_file(time)) == Some(&NO_TIME) {
            return Err(ConfigError::Range {
                origin: None,
                key: time.to_owned(),
                value: "0".to_owned(),
                allowed: "at least 1 ps, or cycles in its place",
            });
        }
        file.insert(in_file(cycles).to_owned(), Value::Integer(1));
    }
    Ok(())
}

/// Whole cycles of a clock of `mhz` in which `ps` picoseconds pass: rounded up, so at least 1 for a time above 0.
fn cycles_of(ps: u32, mhz: u32) -> u32 {
    u32::try_from((u64::from(ps) * u64::from(mhz)).div_ceil(1_000_000)).unwrap_or(u32::MAX)
}

impl Preset {
    /// Sets the cycles of the register file whose time is given, by the core clock.
    pub(crate) fn derive_cycles(&mut self) {
        let (rf, mhz) = (&mut self.register_file, self.gpu.core_mhz);
        for (cycles, ps) in [
            (&mut rf.bank_cycles, rf.read_ps),
            (&mut rf.write_cycles, rf.write_ps),
            (&mut rf.shift_cycles, rf.shift_ps),
        ] {
            if ps != 0 {
                *cycles = cycles_of(ps, mhz);
            }
        }
    }
}
