//! Tests of presets that stand on another one, and of cycles with a fraction.

use super::*;
use crate::{Times, set_by};

fn of(texts: &[&str]) -> Vec<Override> {
    texts.iter().map(|text| text.parse().expect("an override")).collect()
}

/// A preset file with this text.
fn with<T>(text: &str, what: impl Fn(&str) -> T) -> T {
    static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let number = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("heddle-config-layer-{}-{number}.toml", std::process::id()));
    std::fs::write(&path, text).expect("temporary file");
    let result = what(&path.to_string_lossy());
    std::fs::remove_file(&path).expect("temporary file");
    result
}

fn refused(text: &str) -> String {
    with(text, |path| load(path).expect_err("refused").to_string())
}

/// Table 2 of the LTRF paper: capacity, area, power and latency relative to configuration 1.
#[test]
fn the_register_files_of_table_2_are_maxwell_with_what_differs() {
    let maxwell = load("maxwell").expect("ships");
    let table = [
        ("rf-1", "HP SRAM", [1.0, 1.0, 1.0, 1.0]),
        ("rf-2", "HP SRAM", [8.0, 8.0, 8.0, 1.25]),
        ("rf-3", "HP SRAM", [8.0, 8.0, 8.0, 1.5]),
        ("rf-4", "LSTP SRAM", [8.0, 8.0, 3.2, 1.6]),
        ("rf-5", "LSTP SRAM", [8.0, 8.0, 3.2, 2.8]),
        ("rf-6", "TFET SRAM", [8.0, 8.0, 1.05, 5.3]),
        ("rf-7", "DWM", [8.0, 0.25, 0.65, 6.3]),
    ];
    let mut before = [0; 2];
    for (name, cell, figures) in table {
        let preset = load(name).expect("ships");
        let technology = preset.technology.clone().expect("described");
        let ours = [technology.capacity, technology.area, technology.power, technology.latency];
        assert_eq!((technology.cell.as_str(), ours.map(Times::factor)), (cell, figures), "{name}");
        let whole = technology.banks.factor() * technology.bank_size.factor();
        assert!((whole - technology.capacity.factor()).abs() < 1e-9, "{name}");
        let capacity = technology.capacity.factor() as u32;
        assert_eq!(preset.sm.registers, maxwell.sm.registers * capacity, "{name}");
        assert_eq!(preset.register_file.rows_per_bank, maxwell.register_file.rows_per_bank * capacity);
        assert_eq!(
            preset.register_file.banks,
            maxwell.register_file.banks * technology.banks.factor() as u32
        );
        let eighths = 8 * preset.register_file.bank_cycles + preset.register_file.bank_eighths;
        let before = &mut before[usize::from(preset.register_file.banks > maxwell.register_file.banks)];
        assert!(eighths > *before, "{name} is slower than the one before in as many banks");
        *before = eighths;
        // All the rest is the machine's.
        let mut rest = Preset { name: maxwell.name.clone(), technology: None, ..preset };
        rest.sm.registers = maxwell.sm.registers;
        rest.register_file = maxwell.register_file.clone();
        assert_eq!(rest, maxwell, "{name}");
        assert_eq!(base_of(name), Ok(Some("maxwell".to_owned())));
    }
    assert_eq!(machine_names(), ["fermi", "maxwell", "volta"]);
}

/// `ltrf` sets the cycles of a bank itself: it does so to a machine, and not to what stands on one.
#[test]
fn what_a_layer_says_goes_before_the_design_and_after_the_user() {
    let design = of(&["register_file.bank_cycles=4", "design.width=2"]);
    let cycles = |name: &str, user: &[&str]| {
        let file = load_for(name, &design, &of(user)).expect("a preset").register_file;
        (file.bank_cycles, file.bank_eighths)
    };
    assert_eq!(cycles("maxwell", &[]), (4, 0));
    assert_eq!(cycles("rf-7", &[]), (5, 1));
    assert_eq!(cycles("rf-7", &["register_file.bank_cycles=6"]), (6, 0));
    let layer = "name = \"mine\"\nbase = \"maxwell\"\n[design]\nwidth = 3\n";
    with(layer, |path| {
        let mine = load_for(path, &design, &[]).expect("a preset");
        assert_eq!(mine.register_file.bank_cycles, 4);
        assert_eq!(mine.design["width"], crate::design::Setting::Number(3));
        assert_eq!(mine.name, "mine");
    });
    let time = "name = \"mine\"\nbase = \"maxwell\"\n[register_file]\nread_ps = 2000\n";
    assert_eq!(with(time, |path| cycles(path, &[])), (3, 0), "2.27 cycles of 1137 MHz");
    let fast = "name = \"mine\"\nbase = \"fermi\"\n[register_file]\nbank_cycles = 1.5\n";
    with(fast, |path| {
        let file = load(path).expect("a preset").register_file;
        assert_eq!((file.bank_cycles, file.bank_eighths, file.read_ps), (1, 4, 0));
    });
}

#[test]
fn a_layer_that_is_wrong_says_where() {
    let message = refused("name = \"mine\"\nbase = \"maxwel\"\n");
    assert!(message.contains("'base' = 'maxwel'") && message.contains("did you mean 'maxwell'"), "{message}");
    let message = refused("name = \"mine\"\nbase = \"rf-6\"\n");
    assert!(message.contains("'base' = 'rf-6'"), "{message}");
    let message = refused("base = \"maxwell\"\n");
    assert!(message.contains("key 'name' is missing"), "{message}");
    let message = refused("name = \"mine\"\nbase = 3\n");
    assert!(message.contains("'base' takes the name of a preset"), "{message}");
    let message = refused("name = \"mine\"\nbase = \"maxwell\"\n[sm]\nwarp = 3\n");
    assert!(message.contains("unknown key 'sm.warp'") && message.contains("'warps'"), "{message}");
    let message = refused("name = \"mine\"\nbase = \"maxwell\"\n[sm]\nwarps = \"many\"\n");
    assert!(message.contains("'sm.warps' takes an integer"), "{message}");
    let message =
        refused("name = \"mine\"\nbase = \"maxwell\"\n[register_file]\nbank_cycles = 2\nread_ps = 300\n");
    assert!(message.contains("stand for each other"), "{message}");
    let message = refused("name = \"mine\"\nbase = \"maxwell\"\n[technology]\ncell = \"DWM\"\n");
    assert!(message.contains("'technology': missing field"), "{message}");
    let message = refused("name = \"mine\"\nbase = \"maxwell\"\n[technology]\narea = 0.333\n");
    assert!(message.contains("'technology.area': 0.01 to 10000, in whole hundredths"), "{message}");
}

#[test]
fn what_is_wrong_in_a_file_is_named_with_its_place() {
    let layer = |more: &str| format!("name = \"mine\"\nbase = \"maxwell\"\n{more}\n");
    for (text, message) in [
        ("name = \"mine\"\nbase = \"maxwel\"\n".to_owned(), "2:8: 'base' = 'maxwel' is no whole preset; did"),
        ("name = \"mine\"\nbase = 3\n".to_owned(), "2:8: 'base' takes the name of a preset, not an integer"),
        ("name = \"mine\"\nbase = maxwell\n".to_owned(), "2:8: "),
        ("base = \"maxwell\"\n".to_owned(), "1:1: key 'name' is missing"),
        (layer("[sm]\nwarp = 3"), "4:1: unknown key 'sm.warp'; did you mean 'warps'?"),
        (layer("\"sm.warps\" = 3"), "3:1: unknown key 'sm.warps'"),
        (layer("[sm]\nwarps = 3.0"), "4:9: 'sm.warps' takes an integer, not a float"),
        (layer("sm.warps = 0"), "3:12: 'sm.warps' = 0 is out of range: 1 to 64"),
        (layer("[sm]\nwarps = -1"), "4:9: 'sm.warps' = -1 is out of range: 1 to 64"),
        (layer("[sm]\nwarps = 99999999999999"), "4:9: 'sm.warps' = 99999999999999 is out of range: 1 to 64"),
        (
            layer("[sm]\nwarps = 99999999999999999999"),
            "4:9: 'sm.warps' = 99999999999999999999 is out of range: 1 to 64",
        ),
        (
            layer("[design]\nsize = 99999999999999999999"),
            "4:8: 'design.size' = 99999999999999999999 is out of",
        ),
        (
            layer("[register_file]\nbank_cycles = -1"),
            "4:15: 'register_file.bank_cycles' = -1 is out of range: 1",
        ),
        (
            layer("[register_file]\nbank_cycles = 3.3"),
            "4:15: 'register_file.bank_cycles' takes cycles in whole",
        ),
        (layer("[register_file]\nbank_cycles = 2\nread_ps = 9"), "5:1: 'register_file.bank_cycles' and "),
        (layer("[scheduler]\npolicy = \"fair\""), "4:10: 'scheduler.policy': unknown variant `fair`"),
        (layer("[technology]\ncell = \"DWM\""), "3:1: 'technology': missing field"),
        (layer("[technology]\narea = 0.333"), "4:8: 'technology.area': 0.01 to 10000"),
        // The value is that of the preset below.
        (layer("[sm]\nissue_width = 1"), " 'scheduler.schedulers' = "),
    ] {
        with(&text, |path| {
            let said = load(path).expect_err(&text).to_string();
            assert!(said.starts_with(&format!("{path}:{message}")), "{text}: {message} is not in {said}");
        });
    }
    // What is set has no place.
    with(&layer("[sm]\nwarps = 32"), |path| {
        let said = load_with(path, &of(&["sm.warps=0"])).expect_err("too few").to_string();
        assert_eq!(said, "'sm.warps' = 0 is out of range: 1 to 64");
    });
}

#[test]
fn cycles_of_a_bank_have_whole_eighths() {
    let set = |texts: &[&str]| {
        let file = load_with("maxwell", &of(texts)).map(|preset| preset.register_file);
        file.map(|file| (file.bank_cycles, file.bank_eighths)).map_err(|e| e.to_string())
    };
    assert_eq!(set(&["register_file.bank_cycles=3.375"]), Ok((3, 3)));
    assert_eq!(set(&["register_file.bank_cycles=3.375", "register_file.bank_cycles=4"]), Ok((4, 0)));
    assert_eq!(set(&["register_file.bank_cycles=2", "register_file.bank_eighths=5"]), Ok((2, 5)));
    assert_eq!(set(&["register_file.bank_cycles=2.5", "register_file.read_ps=2000"]), Ok((3, 0)));
    for (text, part) in [
        ("register_file.bank_cycles=3.3", "takes cycles in whole eighths, such as 3 or 3.375, not 3.3"),
        ("register_file.bank_cycles=-1.5", "whole eighths"),
        ("register_file.bank_cycles=0.5", "'register_file.bank_cycles' = 0 is out of range"),
        ("register_file.bank_cycles=three", "takes an integer, not 'three'"),
        ("register_file.bank_eighths=8", "'register_file.bank_eighths' = 8 is out of range: 0 to 7"),
        ("register_file.write_cycles=1.5", "takes an integer, not '1.5'"),
    ] {
        let message = set(&[text]).expect_err(text);
        assert!(message.contains(part), "{text}: {message}");
    }
    let message = refused("name = \"mine\"\nbase = \"maxwell\"\n[register_file]\nbank_cycles = 3.3\n");
    assert!(message.contains("'register_file.bank_cycles' takes cycles in whole eighths"), "{message}");
    let both = "name = \"mine\"\nbase = \"maxwell\"\n[register_file]\nbank_cycles = 3.5\nbank_eighths = 1\n";
    assert!(refused(both).contains("beside 'register_file.bank_eighths'"));
    let fermi = load_with("fermi", &of(&["register_file.bank_eighths=1"])).expect_err("a time");
    assert!(fermi.to_string().contains("0 where register_file.read_ps is given"), "{fermi}");
}

#[test]
fn a_value_of_a_layer_has_its_place_beside_what_a_design_or_an_option_sets() {
    let layer = "name = \"mine\"\nbase = \"maxwell\"\n[register_file]\nbank_cycles = 300\n";
    let design = of(&["register_file.bank_cycles=4"]);
    let message = with(layer, |path| load_for(path, &design, &[]).expect_err("300").to_string());
    assert!(message.contains(":4:15: 'register_file.bank_cycles' = 300 is out of range"), "{message}");
    let layer = "name = \"mine\"\nbase = \"maxwell\"\n[sm]\nwarps = 99999999999\n";
    let message = with(layer, |path| load_with(path, &of(&["sm.warps=32"])).expect_err("many").to_string());
    assert!(message.contains(":4:9: 'sm.warps' = 99999999999 is out of range: 1 to 64"), "{message}");
}

#[test]
fn a_key_sets_those_that_stand_for_it() {
    assert_eq!(set_by("register_file.bank_cycles"), ["register_file.read_ps", "register_file.bank_eighths"]);
    assert_eq!(set_by("register_file.write_ps"), ["register_file.write_cycles"]);
    assert_eq!(set_by("register_file.bank_eighths"), [""; 0]);
    assert_eq!(set_by("sm.warps"), [""; 0]);
}
