//! Tests of making a design ready.

use super::*;
use crate::spec::Kernel;
use heddle_workloads::Size;

fn prepared(design: &str) -> PreparedDesign {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..").into();
    let kernel = Kernel::Workload { name: "matrixmul".to_owned(), size: Size::Smoke };
    PreparedDesign::new(&RunSpec::new(root, design, kernel, Engine::Sim)).expect("the design is there")
}

/// Whole paths of all values of a table.
fn leaves(path: &str, table: &toml::Table, out: &mut Vec<String>) {
    for (key, value) in table {
        match value {
            toml::Value::Table(inner) => leaves(&format!("{path}{key}."), inner, out),
            _ => out.push(format!("{path}{key}")),
        }
    }
}

#[test]
fn parameters_have_every_key_of_the_preset() {
    let mut design = prepared("hybrid-gated");
    let off = design.parameters().expect("JSON can have them");
    assert!(!off.keys().any(|key| key.starts_with("instruction_cache.")), "its keys mean nothing");
    assert!(!off.keys().any(|key| key.starts_with("compiler.")), "it is off");
    design.preset.instruction_cache.bytes = 16_384;
    design.preset.compiler.constant_operands = true;
    let parameters = design.parameters().expect("JSON can have them");
    let shipped = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../presets/fermi.toml"));
    let table: toml::Table = shipped.expect("the preset ships").parse().expect("a preset");
    let mut keys = Vec::new();
    leaves("", &table, &mut keys);
    assert!(keys.len() > 50, "{}", keys.len());
    for key in keys {
        assert!(parameters.contains_key(&key), "{key} is dropped");
    }
    assert_eq!(parameters["scheduler.activation"], "round-robin");
    assert_eq!(parameters["register_file.buffer_gating"], true);
}

fn spec(design: &str, engine: Engine, preset: Option<&str>, overrides: &[&str]) -> RunSpec {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..").into();
    let kernel = Kernel::Workload { name: "matrixmul".to_owned(), size: Size::Smoke };
    let mut spec = RunSpec::new(root, design, kernel, engine);
    spec.preset = preset.map(str::to_owned);
    spec.overrides = overrides.iter().map(|text| text.parse().expect("an override")).collect();
    spec
}

#[test]
fn all_resident_warps_may_be_active_where_the_sm_holds_none_back() {
    let active = |design, overrides: &[&str]| {
        let prepared = PreparedDesign::new(&spec(design, Engine::Sim, None, overrides)).expect("a design");
        prepared.config.active_warps
    };
    assert_eq!(active("baseline", &[]), 8);
    assert_eq!(active("baseline", &["scheduler.policy=gto"]), 64);
    assert_eq!(active("baseline", &["scheduler.policy=round-robin", "sm.warps=32"]), 32);
    assert_eq!(active("ltrf", &["scheduler.policy=gto"]), 8, "prefetches bring registers");
    assert_eq!(active("hybrid", &["scheduler.policy=gto"]), 48, "more than the one that it takes");
}

#[test]
fn a_register_file_of_table_2_goes_before_what_the_design_sets() {
    let design = PreparedDesign::new(&spec("ltrf", Engine::Sim, Some("rf-6"), &[])).expect("a design");
    assert_eq!((design.config.bank_cycles, design.config.rows_per_bank, design.main_banks()), (4, 128, 128));
    assert_eq!(design.instance.parameters.get("bank_eighths"), Some(3));
    assert_eq!(design.config.own, design.instance.design_words());
    let parameters = design.parameters().expect("JSON can have them");
    assert_eq!(parameters["technology.power"], 1.05);
    assert_eq!(parameters["register_file.bank_eighths"], 3);
    for (design, preset, part) in [
        ("cerf", "rf-6", "register_file.bank_cycles = 4.375: 'cerf' takes whole cycles"),
        ("racetrack", "rf-7", "register_file.bank_cycles = 5.125: 'racetrack' takes whole cycles"),
    ] {
        let refused = PreparedDesign::new(&spec(design, Engine::Sim, Some(preset), &[])).expect_err(design);
        assert_eq!(refused.exit_code(), 2);
        assert_eq!(refused.to_string(), part);
    }
}

#[test]
fn more_active_warps_than_the_rtl_has_run_on_the_cycle_model_alone() {
    let more = ["scheduler.active_warps=32"];
    let design = PreparedDesign::new(&spec("ltrf-conf", Engine::Sim, None, &more)).expect("a model");
    assert_eq!(design.instance.parameters.get("slots"), Some(32));
    assert_eq!(design.config.active_warps, 32);
    let refused = PreparedDesign::new(&spec("ltrf-conf", Engine::Cosim, None, &more)).expect_err("no RTL");
    assert_eq!(refused.exit_code(), 2);
    let text = refused.to_string();
    assert!(text.starts_with("scheduler.active_warps = 32, design.slots = 32: there is no RTL of"), "{text}");
    let eight = PreparedDesign::new(&spec("ltrf", Engine::Cosim, None, &["scheduler.active_warps=8"]));
    assert_eq!(eight.expect("there is RTL").elaboration.name, "default");
}

#[test]
fn what_a_design_refuses_is_named_with_the_whole_key() {
    for (design, key, value, allowed) in [
        ("hybrid", "scheduler.active_warps", 2, "scheduler.policy=two-level"),
        ("racetrack", "register_file.rows_per_bank", 129, "1 to 128 rows"),
    ] {
        let mut prepared = prepared(design);
        match key {
            "scheduler.active_warps" => prepared.config.active_warps = value as u8,
            _ => prepared.config.rows_per_bank = value,
        }
        let mut model = heddle_designs::create(design, &prepared.instance).expect("the model");
        let error = refused(model.reset(&prepared.config).expect_err(key));
        assert_eq!(error.exit_code(), 2);
        let text = error.to_string();
        assert!(text.starts_with(&format!("{design} cannot have {key} = {value}: ")), "{text}");
        assert!(text.ends_with(&format!("--set {key}=N")), "{text}");
        assert!(text.contains(allowed), "{text}");
    }
}
