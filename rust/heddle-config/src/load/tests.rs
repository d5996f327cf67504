//! Tests of reading presets.

use toml::Value;

use super::*;
use crate::scheduler::Policy;

const FERMI: &str = include_str!("../../../../presets/fermi.toml");
const MAXWELL: &str = include_str!("../../../../presets/maxwell.toml");

/// Line and column of a part of a text.
fn place_of(text: &str, part: &str) -> String {
    let (line, column) = heddle_files::line_and_column(text, text.find(part).expect("it is there"));
    format!("{line}:{column}")
}

fn set(text: &str) -> Result<Preset, ConfigError> {
    load_with("maxwell", &[text.parse()?])
}

#[test]
fn all_presets_load() {
    for name in preset_names() {
        assert_eq!(load(name).map(|p| p.name), Ok(name.to_owned()));
    }
}

#[test]
fn maxwell_is_table_3() {
    let p = load("maxwell").expect("ships");
    assert_eq!((p.gpu.sms, p.gpu.core_mhz, p.sm.warps, p.sm.registers), (24, 1137, 64, 65536));
    assert_eq!((p.l1d.bytes, p.l1d.ways, p.shared_memory.bytes), (16384, 4, 65536));
    assert_eq!((p.scheduler.policy, p.scheduler.active_warps), (Policy::TwoLevel, 8));
    // 12 ns at 1137 MHz are 13.6 cycles.
    assert_eq!(p.dram.core_cycles(12, p.gpu.core_mhz), 14);
}

/// Table 3 of the racetrack paper: 0.28, 1.24 and 0.61 ns.
#[test]
fn times_become_cycles_of_the_core_clock_rounded_up() {
    let cycles = |more: &[&str]| {
        let times =
            ["register_file.read_ps=280", "register_file.write_ps=1240", "register_file.shift_ps=610"];
        let all: Result<Vec<Override>, _> = times.iter().chain(more).map(|text| text.parse()).collect();
        let rf = load_with("fermi", &all.expect("overrides")).map(|p| p.register_file);
        rf.map(|rf| ([rf.bank_cycles, rf.write_cycles, rf.shift_cycles], rf.write_ps))
    };
    // 700 MHz: 0.196, 0.868 and 0.427 cycles. 2 GHz: 0.56, 2.48 and 1.22.
    assert_eq!(cycles(&[]), Ok(([1, 1, 1], 1240)));
    assert_eq!(cycles(&["gpu.core_mhz=2000"]), Ok(([1, 3, 2], 1240)));
    // A whole number of cycles is not rounded: 1.24 ns at 5 GHz are 6.2, 1.2 ns are 6.
    assert_eq!(cycles(&["gpu.core_mhz=5000"]).map(|c| c.0[1]), Ok(7));
    assert_eq!(cycles(&["gpu.core_mhz=5000", "register_file.write_ps=1200"]).map(|c| c.0[1]), Ok(6));
    // Cycles that are set hold, and a time that is set after them again.
    assert_eq!(cycles(&["register_file.write_cycles=7", "gpu.core_mhz=2000"]), Ok(([1, 7, 2], 0)));
    assert_eq!(
        cycles(&["register_file.write_cycles=7", "register_file.write_ps=3000"]).map(|c| c.0[1]),
        Ok(3)
    );
    let error = cycles(&["gpu.core_mhz=10000", "register_file.shift_ps=25501"]).expect_err("256 cycles");
    assert!(error.to_string().contains("'register_file.shift_ps' = 25501"), "{error}");
    assert_eq!(cycles(&["gpu.core_mhz=10000", "register_file.shift_ps=25500"]).map(|c| c.0[2]), Ok(255));
}

#[test]
fn a_preset_gives_cycles_or_their_time() {
    let fermi = load("fermi").expect("ships").register_file;
    assert_eq!((fermi.read_ps, fermi.bank_cycles, fermi.write_ps, fermi.write_cycles), (310, 1, 310, 1));
    assert_eq!(load("maxwell").expect("ships").register_file.read_ps, 0);
    let dir = std::env::temp_dir().join(format!("heddle-config-times-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("temporary folder");
    let path = dir.join("mine.toml");
    let refused = |read_ps: Option<i64>, bank_cycles: Option<i64>| {
        let mut table: Table = FERMI.parse().expect("TOML");
        if let Some(Value::Table(file)) = table.get_mut("register_file") {
            file.remove("read_ps");
            file.extend(read_ps.map(|ps| ("read_ps".to_owned(), Value::Integer(ps))));
            file.extend(bank_cycles.map(|cycles| ("bank_cycles".to_owned(), Value::Integer(cycles))));
        }
        std::fs::write(&path, table.to_string()).expect("temporary file");
        load(&path.to_string_lossy()).map(|p| p.register_file.bank_cycles).map_err(|e| e.to_string())
    };
    let neither = refused(None, None).expect_err("neither");
    assert!(neither.contains("'register_file.bank_cycles' is missing"), "{neither}");
    let both = refused(Some(310), Some(2)).expect_err("both");
    assert!(both.contains("'register_file.bank_cycles' and 'register_file.read_ps'"), "{both}");
    let none = refused(Some(0), None).expect_err("no time");
    assert!(none.contains("'register_file.read_ps' = 0"), "{none}");
    // As results print them.
    assert_eq!(refused(Some(0), Some(2)), Ok(2));
    std::fs::remove_dir_all(&dir).expect("temporary folder");
    let set = |text: &str| load_with("fermi", &[text.parse().expect("an override")]);
    let none = set("register_file.write_ps=0").expect_err("no time").to_string();
    assert!(none.contains("'register_file.write_ps' = 0"), "{none}");
}

#[test]
fn overrides_reach_their_key() {
    assert_eq!(set("register_file.bank_cycles=6").map(|p| p.register_file.bank_cycles), Ok(6));
    assert_eq!(set("scheduler.policy=gto").map(|p| p.scheduler.policy), Ok(Policy::Gto));
}

#[test]
fn a_misspelt_key_names_the_nearest() {
    let message = set("register_file.bank_cycle=6").expect_err("misspelt").to_string();
    assert!(message.contains("did you mean 'bank_cycles'?"), "{message}");
    let message = set("registerfile.bank_cycles=6").expect_err("misspelt").to_string();
    assert!(message.contains("did you mean 'register_file'?"), "{message}");
    let message = set("bank_cycles=6").expect_err("no path").to_string();
    assert!(message.contains("bank_cycles"), "{message}");
    let message = load("maxwel").expect_err("misspelt").to_string();
    assert!(message.contains("did you mean 'maxwell'?"), "{message}");
}

#[test]
fn wrong_values_say_what_is_expected() {
    for (text, part) in [
        ("gpu.sms=many", "an integer"),
        ("gpu.sms=0", "1 to 1024"),
        ("gpu=3", "a key inside it"),
        ("gpu.sms.x=3", "a value"),
        ("scheduler.policy=fair", "--set scheduler.policy=fair: 'scheduler.policy': unknown variant `fair`"),
        ("register_file.replacement=lru", "'register_file.replacement': unknown variant `lru`"),
        ("l1d.unified_bytes=1", "'l1d.unified_bytes' = 1 is out of range: 0, or at least 4 x sm.registers"),
        ("l1d.unified_bytes=262143", "'l1d.unified_bytes' = 262143 is out of range"),
        ("l1d.unified_bytes=262145", "multiple of 128"),
        ("gpu.sms", "path.to.key=value"),
        ("l1d.bytes=1000", "multiple"),
    ] {
        let message = set(text).expect_err(text).to_string();
        assert!(message.contains(part), "{text}: {message}");
    }
}

#[test]
fn an_integer_that_no_key_can_have_is_answered_with_the_range() {
    for (text, message) in [
        ("sm.warps=-1", "'sm.warps' = -1 is out of range: 1 to 64"),
        ("sm.warps=99999999999999", "'sm.warps' = 99999999999999 is out of range: 1 to 64"),
        ("sm.warps=99999999999999999999", "'sm.warps' = 99999999999999999999 is out of range: 1 to 64"),
        ("sm.warps=0", "'sm.warps' = 0 is out of range: 1 to 64"),
        ("sm.warps=1.5", "--set sm.warps=1.5: 'sm.warps' takes an integer, not '1.5'"),
        ("sm.warps=-", "--set sm.warps=-: 'sm.warps' takes an integer, not '-'"),
        ("register_file.bank_cycles=-1", "'register_file.bank_cycles' = -1 is out of range: 1 to 255"),
        ("l1d.ways=-1", "'l1d.ways' = -1 is out of range: 1 to 131072"),
    ] {
        assert_eq!(set(text).map_err(|e| e.to_string()), Err(message.to_owned()));
    }
}

#[test]
fn a_file_with_an_unknown_or_missing_key_is_refused() {
    let dir = std::env::temp_dir().join(format!("heddle-config-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("temporary folder");
    let path = dir.join("mine.toml");
    let text = MAXWELL.replace("core_mhz", "core_mzh");
    std::fs::write(&path, &text).expect("temporary file");
    let message = load(&path.to_string_lossy()).expect_err("unknown key").to_string();
    let place_of_key = place_of(MAXWELL, "core_mhz");
    let unknown = format!("mine.toml:{place_of_key}: unknown key 'gpu.core_mzh'");
    assert!(message.contains(&unknown) && message.contains("'core_mhz'"), "{message}");
    std::fs::write(&path, MAXWELL.replace("two-level", "two-levels")).expect("temporary file");
    let message = load(&path.to_string_lossy()).expect_err("no such policy").to_string();
    let place = place_of(MAXWELL, "\"two-level\"");
    assert!(
        message.contains(&format!("mine.toml:{place}: 'scheduler.policy': unknown variant `two-levels`")),
        "{message}"
    );
    std::fs::write(&path, MAXWELL.replace("core_mhz = 1137\n", "")).expect("temporary file");
    let message = load(&path.to_string_lossy()).expect_err("missing key").to_string();
    let missing = format!("mine.toml:{}: key 'gpu.core_mhz' is missing", place_of(MAXWELL, "[gpu]"));
    assert!(message.contains(&missing), "{message}");
    std::fs::remove_dir_all(&dir).expect("temporary folder");
}
