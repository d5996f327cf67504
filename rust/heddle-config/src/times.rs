//! Cycles of the register file, and the times from which they follow.

use toml::{Table, Value};

use crate::error::ConfigError;
use crate::preset::Preset;

/// Keys of the table `register_file` that stand for each other: cycles, and the time from which they follow.
pub(crate) const TIMES: [(&str, &str); 3] = [
    ("register_file.bank_cycles", "register_file.read_ps"),
    ("register_file.write_cycles", "register_file.write_ps"),
    ("register_file.shift_cycles", "register_file.shift_ps"),
];

/// Name of a key of `register_file` in its table.
fn in_file(key: &str) -> &str {
    key.rsplit('.').next().unwrap_or(key)
}

/// Cycles that follow from a time.
const FROM_TIME: Value = Value::Integer(-1);

/// No time.
const NO_TIME: Value = Value::Integer(0);

/// Of cycles and their time a preset gives one: the other is added.
pub(crate) fn complete_times(origin: &str, root: &mut Table) -> Result<(), ConfigError> {
    let Some(Value::Table(file)) = root.get_mut("register_file") else { return Ok(()) };
    for (cycles, time) in TIMES {
        match (file.contains_key(in_file(cycles)), file.get(in_file(time))) {
            (_, None) => file.insert(in_file(time).to_owned(), NO_TIME),
            (false, Some(_)) => file.insert(in_file(cycles).to_owned(), FROM_TIME),
            (true, Some(given)) if *given == NO_TIME => continue,
            (true, Some(_)) => {
                return Err(ConfigError::TimeAndCycles { origin: origin.to_owned(), cycles, time });
            }
        };
    }
    Ok(())
}

/// Cycles that are set count from then on, not the time.
pub(crate) fn forget_time(root: &mut Table, key: &str) {
    let Some(Value::Table(file)) = root.get_mut("register_file") else { return };
    for (cycles, time) in TIMES {
        if key == cycles {
            file.insert(in_file(time).to_owned(), NO_TIME);
        }
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
                key: time,
                value: 0,
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
