//! The technologies of the repository, and files that are wrong.

use std::path::{Path, PathBuf};

use heddle_energy::{EnergyError, Named, RunEnergy, Technology};
use serde_json::{Map, Value, json};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn row(value: Value) -> Map<String, Value> {
    value.as_object().cloned().expect("an object")
}

/// Counts that a technology names are events that its designs count.
#[test]
fn every_count_is_an_event_of_its_design() {
    let names = Technology::names(&root());
    let expected = [
        "cerf",
        "gpu",
        "hybrid",
        "hybrid-gpu",
        "hybrid-gpu-20",
        "hybrid-gpu-40",
        "ltrf",
        "ltrf-dwm",
        "racetrack",
        "racetrack-banks",
        "racetrack-demand",
    ];
    assert_eq!(names, expected);
    for name in names {
        let technology = Technology::load(&root(), &name).unwrap_or_else(|e| panic!("{e}"));
        for design in &technology.designs {
            for of in &design.names {
                let manifest = heddle_manifest::Manifest::load(&root(), of).expect("a design that ships");
                let events: Vec<&str> = manifest.events.iter().map(|event| event.name.as_str()).collect();
                let counts = design.components.iter().flat_map(|component| {
                    let during = component.leakage.iter().filter_map(|term| term.during.as_ref());
                    component.dynamic.iter().map(|term| &term.count).chain(during)
                });
                // What the memory counts is the same for all designs; rust/heddle/tests/energy.rs has rows of
                // it.
                for count in counts.filter(|count| !count.starts_with("statistics.")) {
                    let event = count.strip_prefix("events.").unwrap_or_else(|| panic!("{count}"));
                    assert!(events.contains(&event), "{name}: {of} has no event {event}");
                }
            }
        }
    }
}

/// Ten reads and four writes of SRAM in 700 cycles, which are a microsecond: 10 x 218.88 + 4 x 57.28 pJ, and
/// 12.31 nJ.
#[test]
fn energy_is_counts_times_constants_and_power_times_time() {
    let technology = Technology::load(&root(), "racetrack").expect("it ships");
    let run = row(json!({
        "design": "baseline", "cycles": 700, "sms": 1, "parameters": { "gpu.core_mhz": 700, "sm.registers": 32768 },
        "events": { "main_bank_read": 10, "main_bank_write": 4 },
    }));
    let energy = RunEnergy::new(&technology, &run).expect("it has all");
    assert!((energy.dynamic_pj - 2417.92).abs() < 1e-9, "{energy:?}");
    assert!((energy.leakage_pj - 12310.0).abs() < 1e-9, "{energy:?}");
    assert!((energy.average_mw - (2417.92 + 12310.0) / 1000.0).abs() < 1e-9, "{energy:?}");
}

/// The upper entries of one of two buffers are on in half of the cycles: the buffers leak 0.3 of their power,
/// and a quarter of the rest.
#[test]
fn what_is_gated_leaks_less() {
    let technology = Technology::load(&root(), "hybrid").expect("it ships");
    let leaks = |design: &str, on: u64| {
        let events = json!({
            "sttram_read": 0, "sttram_write": 0, "buffer_write": 0, "buffer_read": 0, "write_back": 0,
            "upper_on_cycles": on,
        });
        let run = row(json!({
            "design": design, "cycles": 1400, "sms": 1, "parameters": { "gpu.core_mhz": 700, "sm.registers": 32768 }, "events": events,
        }));
        RunEnergy::new(&technology, &run).expect("it has all").components[1].leakage_pj
    };
    let whole = leaks("hybrid", 0);
    assert!((whole - 248.7 * 2.0 * 38.0 * 64.0 * 32.0 / 1_048_576.0 * 2000.0).abs() < 1e-6, "{whole}");
    assert!((leaks("hybrid-gated", 700) / whole - (0.3 + 0.7 / 4.0)).abs() < 1e-12);
    assert!((leaks("hybrid-gated", 2800) / whole - 1.0).abs() < 1e-12, "all on, all the time");
}

/// Tables 1 and 2: 0.038 mm2 of STT-RAM, and two buffers of 38 bits x 64 x 32 each, by the bits of 128 KB of
/// SRAM, 1.16 times as large with power gating.
#[test]
fn areas_are_sums_over_the_components() {
    let technology = Technology::load(&root(), "hybrid").expect("it ships");
    let area = |design: &str| technology.design(design).expect("it has it").area().expect("an area");
    let buffers = 0.194 * 2.0 * 38.0 * 64.0 * 32.0 / 1_048_576.0;
    assert!((area("baseline") - 0.194).abs() < 1e-12 && (area("sttram") - 0.038).abs() < 1e-12);
    assert!((area("hybrid-gated") - 0.038 - 1.16 * buffers).abs() < 1e-12);
    assert_eq!(technology.area_unit.map(|unit| unit.to_string()).as_deref(), Some("mm2"));
    let racetrack = Technology::load(&root(), "racetrack").expect("it ships");
    let area = |design: &str| racetrack.design(design).expect("it has it").area().expect("an area");
    let periphery = 0.194 - 1_048_576.0 * 0.171e-6;
    let racetracks = 2_097_152.0 * 0.171e-6 / 28.0 + periphery + 0.194 * 2.0 / 128.0;
    assert!(
        (area("racetrack-mapped") - racetracks).abs() < 1e-4 && (area("sram-queued") - 0.194).abs() < 1e-12
    );
    let cerf = Technology::load(&root(), "cerf").expect("it ships");
    assert_eq!((cerf.area_unit, cerf.designs[0].area()), (None, None));
}

/// One read and one result of each design: the rest of the GPU takes 7/3 of what they take in SRAM, and of
/// its leakage.
#[test]
fn the_rest_of_the_gpu_takes_what_the_share_says() {
    let technology = Technology::load(&root(), "hybrid-gpu").expect("it ships");
    for (design, read, write) in
        [("baseline", "main_bank_read", "main_bank_write"), ("hybrid-gated", "sttram_read", "sttram_write")]
    {
        let mut events = json!({ "result_accept": 1, "buffer_write": 0, "buffer_read": 0, "write_back": 0, "upper_on_cycles": 0 });
        events[read] = json!(1);
        events[write] = json!(1);
        let run = row(json!({
            "design": design, "cycles": 700, "sms": 1, "parameters": { "gpu.core_mhz": 700, "sm.registers": 32768 }, "events": events,
        }));
        let energy = RunEnergy::new(&technology, &run).expect("it has all");
        let rest = energy.components.last().expect("components");
        assert!((rest.dynamic_pj - 1024.0 * (0.203 + 0.191) * 7.0 / 3.0).abs() < 1e-6, "{design}: {rest:?}");
        assert!((rest.leakage_pj - 248_700.0 * 7.0 / 3.0).abs() < 1e-6, "{design}: {rest:?}");
    }
}

/// 12.31 mW of one bank or of each of sixteen, and steps ahead of requests that take nothing; all else is the base's.
#[test]
fn a_technology_on_a_base_has_its_constants_and_the_designs_of_the_base() {
    let run = row(json!({
        "design": "racetrack", "cycles": 700, "sms": 1, "parameters": { "gpu.core_mhz": 700, "sm.registers": 65536 },
        "events": {
            "main_bank_read": 0, "main_bank_write": 0, "shift": 2, "preshift": 3, "write_buffer_write": 0,
            "write_buffer_read": 0,
        },
    }));
    let energy = |name: &str| {
        let technology = Technology::load(&root(), name).expect("it ships");
        assert!(technology.path.ends_with(format!("{name}.toml")), "{}", technology.path.display());
        let energy = RunEnergy::new(&technology, &run).expect("it has all");
        (energy.dynamic_pj, energy.leakage_pj)
    };
    for (name, steps, banks) in
        [("racetrack", 5.0, 1.0), ("racetrack-banks", 5.0, 16.0), ("racetrack-demand", 2.0, 16.0)]
    {
        let (dynamic, leakage) = energy(name);
        assert!((dynamic - steps * 56.16).abs() < 1e-9, "{name}: {dynamic}");
        assert!((leakage - (banks * 7950.0 + 1120.0)).abs() < 1e-6, "{name}: {leakage}");
    }
}

#[test]
fn what_does_not_fit_the_base_is_refused_with_its_place() {
    let on = |more: &str| format!("title = \"t\"\nsource = \"s\"\n{more}");
    let design = &GOOD[GOOD.find("[[design]]").expect("a design")..];
    for (text, expected) in [
        (on("base = \"racetrak\"\n[constants]\n"), ":3:8: unknown technology 'racetrak'"),
        (on("base = \"racetrack-banks\"\n[constants]\n"), ":3:8: 'racetrack-banks' stands on a base itself"),
        (
            on("base = \"racetrack\"\n[constants]\nleakin = { value = 2, unit = \"1\", source = \"x\" }\n"),
            ":5:10: the base has no constant 'leakin'",
        ),
        (
            on("base = \"racetrack\"\n[constants]\nleaking = { value = 2, unit = \"mW\", source = \"x\" }\n"),
            ":5:11: constant 'leaking' of the base is in 1; expected that unit",
        ),
        (
            on(&format!("base = \"racetrack\"\n[constants]\n{design}")),
            ":3:8: a technology on a base has constants alone",
        ),
    ] {
        let refused = load(&text).expect_err("refused").to_string();
        assert!(refused.contains(expected), "{refused}");
    }
    let without = load(&on("base = \"racetrack\"\n")).expect_err("refused").to_string();
    assert!(without.contains(":3:8: expected [constants] with those that differ"), "{without}");
    let without = load(&on(design)).expect_err("refused").to_string();
    assert!(without.contains(":1:1: expected [constants]"), "{without}");
    let none = load(&on("[constants]\n")).expect_err("refused").to_string();
    assert!(none.contains(":1:1: expected a [[design]], or a base"), "{none}");
    let mine =
        on("base = \"racetrack\"\n[constants]\nleaking = { value = 2, unit = \"1\", source = \"x\" }\n");
    assert_eq!(load(&mine).expect("good").constants["leaking"].value, 2.0);
}

#[test]
fn a_row_without_a_count_is_refused_and_so_is_another_design() {
    let technology = Technology::load(&root(), "racetrack").expect("it ships");
    let refused = |value: Value| RunEnergy::new(&technology, &row(value)).expect_err("refused").to_string();
    let parameters = json!({ "gpu.core_mhz": 700, "sm.registers": 32768 });
    let without = json!({
        "design": "baseline", "cycles": 7, "sms": 1, "parameters": parameters, "events": { "main_bank_read": 1 },
    });
    let found = refused(without);
    assert!(
        found.contains("no number 'events.main_bank_write', which component 'register file' counts"),
        "{found}"
    );
    let larger =
        json!({ "design": "baseline", "parameters": { "gpu.core_mhz": 700, "sm.registers": 65536 } });
    let found = refused(larger);
    assert!(found.contains("of sm.registers = 32768; the run has 65536"), "{found}");
    let stopped = json!({ "design": "baseline", "cycles": 7, "sms": 1, "parameters": { "gpu.core_mhz": 0, "sm.registers": 32768 } });
    assert!(refused(stopped).contains("expected a clock above 0"));
    let other = refused(json!({ "design": "ltrf", "cycles": 7, "sms": 1 }));
    assert!(other.contains("no constants of design 'ltrf'") && other.contains("baseline"), "{other}");
}

#[test]
fn numbers_that_no_run_has_are_refused() {
    let technology = Technology::load(&root(), "racetrack").expect("it ships");
    let refused = |technology: &Technology, key: &str, value: Value| {
        let mut run = json!({
            "design": "baseline", "cycles": 7, "sms": 1,
            "parameters": { "gpu.core_mhz": 700, "sm.registers": 32768 },
            "events": { "main_bank_read": 1, "main_bank_write": 1 },
        });
        *run.pointer_mut(key).expect("it has the key") = value;
        let error = RunEnergy::new(technology, &row(run)).expect_err("refused");
        assert_eq!(error.exit_code(), 2);
        error.to_string()
    };
    for (pointer, key) in [
        ("/cycles", "cycles"),
        ("/sms", "sms"),
        ("/parameters/gpu.core_mhz", "parameters.gpu.core_mhz"),
        ("/events/main_bank_read", "events.main_bank_read"),
    ] {
        let found = refused(&technology, pointer, json!(-5));
        assert!(found.contains(&format!("has -5 as '{key}'")) && found.contains("not negative"), "{found}");
    }
    for (pointer, what) in [("/cycles", "energy by time"), ("/events/main_bank_read", "energy by events")] {
        let found = refused(&technology, pointer, json!(1e308));
        assert!(found.contains(&format!("the {what} of the run is too large")), "{found}");
    }
    let large = load(&GOOD.replace("value = 3,", "value = 1e308,")).expect("a number");
    let found = refused(&large, "/cycles", json!(7));
    assert!(found.contains("the energy by time of the run is too large"), "{found}");
}

/// Names of designs, keys of presets and counts, of a base in its own file.
#[test]
fn a_name_that_is_refused_has_its_place() {
    let refused = |technology: &Technology, unknown: &Named| {
        let check = |named: &Named| if named == unknown { Err("unknown".to_owned()) } else { Ok(()) };
        technology.check_names(check).map_err(|e| e.to_string())
    };
    let number = |key: &str| Named::Number(key.to_owned());
    let mine = GOOD.replace("]\n[[design.component]]", "]\nof = { \"sm.warps\" = 48 }\n[[design.component]]");
    let mine = load(&mine.replace("[\"leak\"] }", "[\"leak\"], during = \"cycles\" }")).expect("good");
    for (unknown, place) in [
        (Named::Design("baseline".to_owned()), ":9:10: unknown"),
        (number("parameters.sm.warps"), ":10:8: unknown"),
        (number("events.main_bank_read"), ":13:22: unknown"),
        (number("cycles"), ":14:41: unknown"),
    ] {
        let found = refused(&mine, &unknown).expect_err("refused");
        assert!(found.ends_with(&format!("t.toml{place}")), "{found}");
    }
    assert_eq!(refused(&mine, &number("events.main_bank_write")), Ok(()));
    let on_base = Technology::load(&root(), "racetrack-banks").expect("it ships");
    let found = refused(&on_base, &number("events.preshift")).expect_err("refused");
    assert!(found.contains("racetrack.toml:"), "{found}");
}

#[test]
fn a_name_is_known_by_a_row_that_has_it() {
    let run = row(json!({ "design": "baseline", "cycles": 7, "kernel": "bfs", "events": { "shift": 0 } }));
    let number = |key: &str| Named::Number(key.to_owned()).is_in(&run);
    assert!(number("cycles") && number("events.shift"));
    assert!(!number("kernel") && !number("events.read") && !number("events") && !number("shift"));
    let design = |name: &str| Named::Design(name.to_owned()).is_in(&run);
    assert!(design("baseline") && !design("bfs"));
}

const GOOD: &str = r#"title = "t"
source = "s"
[constants]
read = { value = 2, unit = "pJ/bit", source = "x" }
width = { value = [64, 2], unit = "bit", source = "x" }
leak = { value = 3, unit = "mW", source = "x" }
size = { value = 5, unit = "mm2", source = "x" }
[[design]]
names = ["baseline"]
[[design.component]]
name = "file"
dynamic = [{ count = "events.main_bank_read", energy = ["read", "width"] }]
leakage = [{ power = ["leak"] }]
"#;

fn load(text: &str) -> Result<Technology, EnergyError> {
    let folder = tempfile::tempdir().expect("temporary folder");
    let file = folder.path().join("t.toml");
    std::fs::write(&file, text).expect("writable");
    Technology::load(&root(), &file.display().to_string())
}

#[test]
fn what_is_wrong_in_a_file_is_told_with_its_place() {
    let good = load(GOOD).expect("a good file");
    assert_eq!(good.designs[0].components[0].dynamic[0].picojoule, 64.0);
    for (from, to, place, what) in [
        ("unit = \"pJ/bit\"", "unit = \"pJ\"", ":12:56:", "the product is in pJ bit; expected pJ"),
        ("power = [\"leak\"]", "power = [\"read\"]", ":13:22:", "the product is in pJ bit^-1; expected mW"),
        ("\"pJ/bit\"", "\"pJ/bits\"", ":4:28:", "unknown unit 'pJ/bits'"),
        ("[\"read\", ", "[\"raed\", ", ":12:57:", "unknown constant 'raed'"),
        ("value = 2,", "value = -2,", ":4:18:", "not negative"),
        ("[64, 2]", "[64, 0]", ":5:19:", "not 0 as a divisor"),
        ("value = 2,", "value = nan,", ":4:18:", "expected a finite number"),
        ("value = 2,", "value = inf,", ":4:18:", "expected a finite number"),
        ("value = 2,", "value = \"2\",", ":4:", "expected a number, or a fraction [above, below] of two"),
        ("[64, 2]", "[1, 2, 3]", ":5:", "expected a number, or a fraction [above, below] of two"),
        ("value = 2,", "value = 1e308,", ":12:56:", "the product is too large"),
        ("names = [\"baseline\"]", "names = []", ":9:9:", "expected the name of a design"),
        ("source = \"x\" }\nleak", "source = \" \" }\nleak", ":5:51:", "needs its source"),
        ("name = \"file\"", "name = \"file\"\nnmae = 1", ":12:1:", "unknown field `nmae`"),
        ("names = [\"baseline\"]", "names = [\"baseline\", \"baseline\"]", ":9:22:", "is there already"),
        ("leakage = [{ power = [\"leak\"] }]", "", "", "missing field `leakage`"),
        ("}]\nleakage", "}]\narea = [[\"leak\"]]\nleakage", ":13:9:", "in mW; expected mm2 or bit"),
        ("}]\nleakage", "}]\narea = [[\"width\"], [\"size\"]]\nleakage", ":13:20:", "in mm2; expected bit"),
    ] {
        assert!(GOOD.contains(from), "{from}");
        let found = load(&GOOD.replace(from, to)).expect_err(what).to_string();
        assert!(found.contains(what) && found.contains(place), "{found}; expected {place} {what}");
    }
    let areas = GOOD.replace("value = 5,", "value = 1e308,");
    let areas = areas.replace("}]\nleakage", "}]\narea = [[\"size\"], [\"size\"]]\nleakage");
    let found = load(&areas).expect_err("refused").to_string();
    assert!(found.contains(":13:19: the sum of areas is too large"), "{found}");
    let unknown = Technology::load(&root(), "racetrak").expect_err("no such one").to_string();
    assert!(unknown.contains("unknown technology 'racetrak'") && unknown.contains("racetrack"), "{unknown}");
}
