//! Experiment files, right and wrong.

use std::path::{Path, PathBuf};

use heddle_cosim::MadeBy;
use heddle_experiments::{Catalog, Chosen, Experiment, Identity, Plan, Scale};
use heddle_workloads::Size;

const GOOD: &str = r#"id = "cache"
title = "OSM"
source = "none"
scales.smoke = { size = "smoke" }
scales.claims = { size = "paper" }
scales.paper = { size = "paper" }
kernels = ["matrixmul", "lud"]
measure = "ipc"
normalise_to = "baseline"

[[series]]
name = "baseline"
design = "baseline"
preset = "volta"

[[series]]
name = "osm"
design = "osm"
preset = "volta"
set = { "sm.warps" = 32 }
[series.sweep]
"shared_memory.cache_bytes" = [4096, 8192]
"shared_memory.reads_to_unlock" = [1, 2]
"#;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn catalog() -> Catalog {
    let keys =
        ["ipc", "cycles", "occupancy", "shared_memory.*", "events.*", "parameters.*"].map(str::to_owned);
    Catalog::new(&root(), keys).expect("the repository's designs")
}

fn load(text: &str) -> Result<Experiment, String> {
    let folder = tempfile::tempdir().expect("temporary folder");
    let file = folder.path().join("cache.toml");
    std::fs::write(&file, text).expect("writable");
    let loaded = Experiment::load(&file, &catalog(), Scale::Smoke);
    loaded.map_err(|e| e.to_string().replace(&format!("{}:", file.display()), ""))
}

#[test]
fn every_experiment_of_the_repository_can_run() {
    let catalog = catalog();
    let mut files = 0;
    for entry in std::fs::read_dir(root().join("experiments")).expect("the folder is there") {
        let file = entry.expect("readable").path();
        let experiment = Experiment::load(&file, &catalog, Scale::Smoke).unwrap_or_else(|e| panic!("{e}"));
        let identity = Identity::new(&root(), MadeBy::default()).expect("readable");
        let plan =
            Plan::new(experiment, &root(), &identity).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        assert!(!plan.runs.is_empty(), "{}", file.display());
        files += 1;
    }
    assert!(files > 0);
}

/// `cerf-losses` takes one cycle off what `fermi` has.
#[test]
fn what_hides_the_tagging_stage_is_a_cycle_of_everything() {
    let table = |file: &str| -> toml::Table {
        let text = std::fs::read_to_string(root().join(file)).expect("the file ships");
        text.parse().expect("TOML")
    };
    let (experiment, preset) = (table("experiments/cerf-losses.toml"), table("presets/fermi.toml"));
    let whole = toml::Value::Table(preset);
    let cycles = |key: &str| {
        let found = key.split('.').try_fold(&whole, |at, part| at.get(part));
        found.and_then(|value| value.as_integer()).unwrap_or_else(|| panic!("fermi has no number {key}"))
    };
    let mut latencies = 0;
    for series in experiment["series"].as_array().expect("a list") {
        let set = series.get("set").and_then(toml::Value::as_table).into_iter().flatten();
        for (key, value) in set.filter(|(key, _)| key.ends_with("latency")) {
            assert_eq!(value.as_integer(), Some(cycles(key) - 1), "{key}");
            latencies += 1;
        }
    }
    assert_eq!(latencies, 3 * 10, "three series hide it");
}

#[test]
fn a_sweep_is_every_combination_and_each_has_its_base() {
    let experiment = load(GOOD).expect("a good file");
    let labels: Vec<String> = experiment.points().iter().map(|point| point.label()).collect();
    let of =
        |bytes, reads| format!("osm shared_memory.cache_bytes={bytes} shared_memory.reads_to_unlock={reads}");
    let expected = ["baseline".to_owned(), of(4096, 1), of(4096, 2), of(8192, 1), of(8192, 2)];
    assert_eq!(labels, expected);
    for point in experiment.points() {
        assert_eq!(experiment.base_of(&point).map(|base| base.series), Some("baseline".to_owned()));
    }
}

#[test]
fn runs_that_are_equal_are_one_and_others_have_other_keys() {
    let identity = Identity::new(&root(), MadeBy::default()).expect("readable files");
    let plan = |text: &str| {
        let plan = Plan::new(load(text).expect("a good file"), &root(), &identity).expect("a plan");
        (plan.cells().count(), plan.runs.into_iter().map(|run| run.key).collect::<Vec<_>>())
    };
    let (cells, keys) = plan(GOOD);
    assert_eq!((cells, keys.len()), (10, 10));
    // The same SM under another name is the same run, and so is an entry of a kernel.
    let twice = GOOD.replace(
        "[[series]]\nname = \"osm\"",
        "[[series]]\nname = \"again\"\ndesign = \"baseline\"\n\
        preset = \"volta\"\n[[series]]\nname = \"osm\"",
    );
    assert_eq!(plan(&twice), (12, keys.clone()));
    let entry = GOOD.replace("\"lud\"", "\"lud\", \"lud:lud_diagonal\"");
    assert_eq!(plan(&entry), (15, keys.clone()));
    let (_, seeded) = plan(&GOOD.replace("measure", "seed = 2\nmeasure"));
    assert!(seeded.iter().all(|key| !keys.contains(key)));
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let mut wrong = Vec::new();
    let many = format!("{:?}", (1..=10_001).map(|kilobytes| 1024 * kilobytes).collect::<Vec<u32>>());
    for (from, to, expected) in [
        ("title", "titel", "2:1: unknown key 'titel'; did you mean 'title'?"),
        ("\nset =", "\nsett =", "20:1: unknown key 'sett'; did you mean 'set'?"),
        ("\"cache\"", "\"cash\"", "1:6: id is 'cash'; expected the name of the file, 'cache'"),
        ("\"smoke\"", "\"smoky\"", "4:25: "),
        ("\"lud\"]", "\"lut\"]", "7:11: unknown kernel 'lut'"),
        ("\"lud\"]", "\"lud:lud_diagonl\"]", "has no entry 'lud_diagonl'; did you mean 'lud_diagonal'?"),
        ("\"lud\"]", "\"matrixmul\"]", "7:11: kernel 'matrixmul' is there twice"),
        ("[\"matrixmul\", \"lud\"]", "[]", "7:11: these are no kernels; expected \"all\", or a list"),
        ("\"ipc\"", "\"icp\"", "8:11: no row of results has a number 'icp'; did you mean 'ipc'?"),
        ("\"ipc\"", "\"events.nothing\"", "8:11: no row of results has a number 'events.nothing'"),
        ("to = \"baseline\"", "to = \"base\"", "9:16: unknown series 'base'"),
        ("\"ipc\"", "\"events.shift\"", "8:11: no design of the experiment counts 'events.shift'"),
        (
            "measure =",
            "sms = 99999\nmeasure =",
            "8:7: sms = 99999: preset 'volta' of series 'baseline' has 1 to ",
        ),
        (
            "measure =",
            "seed = -1\nmeasure =",
            "8:8: seed is -1; expected a whole number from 0 to 18446744073709551615",
        ),
        ("measure =", "seed = \"a\"\nmeasure =", "8:8: seed is \"a\"; expected a whole number from 0 to "),
        (
            "measure =",
            "max_cycles = 0\nmeasure =",
            "8:14: max_cycles is 0; expected a whole number from 1 to ",
        ),
        (
            "measure =",
            "max_cycles = 18446744073709551616\nmeasure =",
            "8:14: max_cycles is 18446744073709551616; expected a whole number from 1 to ",
        ),
        ("measure =", "sms = 0\nmeasure =", "8:7: sms = 0 is out of range: 1 to the SMs of the preset"),
        ("measure =", "sms = -3\nmeasure =", "8:7: sms = -3 is out of range: 1 to the SMs of the preset"),
        ("name = \"osm\"", "name = \"baseline\"", "17:8: series 'baseline' is there twice"),
        ("name = \"osm\"", "name = \"\"", "17:8: a series has no name; expected a text"),
        ("name = \"osm\"", "name = \"o\\nsm\"", "17:8: the name of a series has the character U+000A; "),
        ("name = \"osm\"", "name = \"o\\u001Bsm\"", "17:8: the name of a series has the character U+001B; "),
        ("name = \"osm\"", "name = \"o\u{202e}sm\"", "17:8: the name of a series has the character U+202E; "),
        (
            "design = \"osm\"",
            "design = \"ozm\"",
            "18:10: series 'osm shared_memory.cache_bytes=4096 shared_memory.reads_to_unlock=1': unknown design",
        ),
        ("preset = \"volta\"\nset", "preset = \"wolta\"\nset", "19:10: "),
        ("\nset =", "\ntlp = \"bets\"\nset =", "20:7: unknown tlp 'bets'; did you mean 'best'?"),
        (
            "\nset =",
            "\ntlp = \"best\"\nset =",
            "20:7: the number of CTAs is chosen for racetracks; design 'osm' has none",
        ),
        (
            "\nset = { \"sm.warps\"",
            "\ntlp = \"best\"\nset = { \"sm.ctas\"",
            "21:21: tlp = \"best\" chooses 'sm.ctas' already",
        ),
        ("\"sm.warps\"", "\"sm.warp\"", "20:21: series 'osm"),
        ("\"sm.warps\" = 32", "sm.warps = 32", "the whole path of the key in quotes"),
        ("\"sm.warps\" = 32", "\"sm.warps\" = -3", "'sm.warps' = -3 is out of range: 1 to 64"),
        (
            "= 32",
            "= 99999999999999999999",
            "20:22: 99999999999999999999 is out of range: -9223372036854775808 to ",
        ),
        ("[4096, 8192]", "[]", "22:31: 'shared_memory.cache_bytes' has no values"),
        ("[4096, 8192]", "[4096, 4096]", "22:31: 'shared_memory.cache_bytes' has a value twice"),
        ("[4096, 8192]", "[4096, 5000]", "22:31: series 'osm"),
        (
            "[4096, 8192]",
            &many,
            "22:31: up to 'shared_memory.cache_bytes' the keys have more than 10000 points together",
        ),
        ("size = \"smoke\"", "", "missing field `size`"),
        ("scales.claims = { size = \"paper\" }\n", "", "4:1: key 'scales.claims' is missing"),
        ("scales.claims", "scales.claim", "5:8: unknown key 'claim'; did you mean 'claims'?"),
        ("size = \"smoke\"", "sizes = \"smoke\"", "4:18: unknown key 'sizes'; did you mean 'size'?"),
        ("\"smoke\" }", "\"smoke\", without = [\"lut\"] }", "scale smoke has no kernel 'lut' to leave out"),
        (
            "\"paper\" }",
            "\"paper\", without = [\"lud\", \"matrixmul\"] }",
            "5:53: scale claims leaves out every kernel",
        ),
        ("\"OSM\"", "OSM", "2:9: "),
    ] {
        assert!(GOOD.contains(from), "{from}");
        let error = load(&GOOD.replacen(from, to, 1)).expect_err(to);
        if !error.contains(expected) {
            wrong.push(format!("{to}: no '{expected}' in '{error}'"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let base = GOOD.replace("to = \"baseline\"", "to = \"osm\"");
    let error = load(&base).expect_err("no partner");
    assert!(error.contains("'baseline' has no partner in series 'osm'"), "{error}");
}

#[test]
fn a_scale_says_size_and_kernels() {
    let text = GOOD.replacen("\"paper\" }", "\"paper\", without = [\"lud\"] }", 1);
    let folder = tempfile::tempdir().expect("temporary folder");
    let file = folder.path().join("cache.toml");
    std::fs::write(&file, text).expect("writable");
    let at = |scale: Scale| {
        let experiment = Experiment::load(&file, &catalog(), scale).expect("a good file");
        let names = |kernels: &[Chosen]| kernels.iter().map(ToString::to_string).collect::<Vec<_>>();
        (experiment.size, names(&experiment.kernels), names(&experiment.left_out))
    };
    let both = vec!["lud".to_owned(), "matrixmul".to_owned()];
    assert_eq!(at(Scale::Smoke), (Size::Smoke, both.clone(), Vec::new()));
    assert_eq!(at(Scale::Claims), (Size::Paper, both[1..].to_vec(), both[..1].to_vec()));
    assert_eq!(at(Scale::Paper), (Size::Paper, both, Vec::new()));
}
