//! Tables at several widths, and what helps to type a command.

use crate::common::{heddle, heddle_at};

fn widest(text: &str) -> usize {
    text.lines().map(|line| line.chars().count()).max().unwrap_or(0)
}

/// Every number and every name of the rows is in the table whole, or its column is named as left out.
#[test]
fn results_are_whole_at_every_width() {
    let run = ["sim", "-q", "-k", "matrixmul,vectoradd", "-d", "ltrf,osm"];
    let json = heddle(&[&run[..], &["--format", "json"]].concat()).passes().json();
    let table = heddle(&run).passes().stdout;
    assert!(!table.contains("left out"), "a pipe has room for everything:\n{table}");
    for width in [24, 40, 60, 80, 110, 200] {
        let table = heddle_at(width, &run).passes().stdout;
        let is_table = table.starts_with('┌');
        let lines: Vec<&str> = table.lines().filter(|l| !l.starts_with("different SMs")).collect();
        assert!(!is_table || widest(&lines.join("\n")) <= width, "{width}:\n{table}");
        assert_eq!(is_table, width >= 40, "{width}:\n{table}");
        for row in &json {
            let cycles = row["cycles"].as_u64().expect("a number");
            let cycles = format!("{},{:03}", cycles / 1000, cycles % 1000);
            let kernel = row["kernel"].as_str().expect("a name");
            let found = lines.iter().any(|l| (l.contains(kernel) || !is_table) && l.contains(&cycles));
            assert!(found, "{width}: {kernel} {cycles}\n{table}");
        }
        let complete = width >= 200 || !is_table;
        for (name, heading) in [("controls compared", "controls"), ("mismatches", "matches")] {
            assert!(table.contains(heading), "{width}: {name}\n{table}");
            assert_eq!(table.contains("left out at"), !complete, "{width}\n{table}");
        }
    }
}

#[test]
fn shared_memory_has_columns_where_the_design_holds_it() {
    let columns = ["fetches", "write"];
    let table = heddle(&["sim", "-q", "-k", "matrixmul", "-d", "osm"]).passes().stdout;
    for column in columns {
        assert!(table.contains(column), "{column}:\n{table}");
    }
    let row = &heddle(&["sim", "-q", "-k", "matrixmul", "-d", "osm", "--format", "json"]).passes().json()[0];
    let statistic = |name: &str| row["statistics"][name].as_u64().expect("a number");
    assert_eq!(row["shared_fetches"], statistic("memory.off_chip.fetches"));
    let hits = statistic("memory.l1.shared.read_hits") as f64;
    let others = statistic("memory.l1.shared.read_merged") + statistic("memory.l1.shared.read_misses");
    let rate = row["shared_cache_hit_rate"].as_f64().expect("a rate");
    assert!((rate - hits / (hits + others as f64)).abs() < 1e-12 && rate < 1.0, "{rate}");
    assert!(table.contains(&format!("{rate:.3}")), "{table}");

    let table = heddle(&["sim", "-q", "-k", "matrixmul", "-d", "baseline"]).passes().stdout;
    assert!(!columns.iter().any(|c| table.contains(c)), "{table}");
    let row = &heddle(&["sim", "-q", "-k", "matrixmul", "--format", "json"]).passes().json()[0];
    assert!(row["shared_fetches"].is_null() && row["shared_cache_hit_rate"].is_null(), "{row}");
}

#[test]
fn whole_numbers_have_no_decimals() {
    let table = heddle(&["latency", "-q", "-d", "osm"]).passes().stdout;
    assert!(!table.contains(".000") && table.contains(" 29 "), "{table}");
    let table = heddle(&["exec", "-q", "-k", "vectoradd"]).passes().stdout;
    assert!(
        !table.contains('.') || table.matches('.').count() == table.matches("instr.").count() + 1,
        "{table}"
    );
}

#[test]
fn variants_stand_below_their_design_in_80_columns() {
    let table = heddle(&["list", "designs"]).passes().stdout;
    assert!(widest(&table) <= 80, "{table}");
    let at = |start: &str| {
        let line = table.lines().position(|line| line.starts_with(start));
        line.unwrap_or_else(|| panic!("no '{start}' in\n{table}"))
    };
    assert!(at("│racetrack ") < at("│  racetrack-plain ") && at("│  racetrack-plain ") < at("│sttram "));
    assert_eq!(table.matches("Performance-Centric").count(), 1, "the paper is there once:\n{table}");
    for width in [60, 80, 120] {
        assert!(widest(&heddle_at(width, &["list", "designs"]).passes().stdout) <= width, "{width}");
        assert!(widest(&heddle_at(width, &["list", "kernels"]).passes().stdout) <= width, "{width}");
    }
}

#[test]
fn completions_and_manual_pages_know_every_command() {
    let help = heddle(&["--help"]).passes().stdout;
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .map_while(|line| line.strip_prefix("  ")?.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(commands.contains(&"cosim") && commands.contains(&"completions"), "{commands:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = heddle(&["completions", shell]).passes().stdout;
        for name in commands.iter().chain(&["races", "max-cycles"]) {
            assert!(script.contains(name), "{shell}: no {name}");
        }
    }
    heddle(&["completions", "tcsh"]).fails(2, &["possible values: bash"]);
    let page = heddle(&["man"]).passes().stdout;
    assert!(page.contains(".TH heddle 1") && page.contains("Exit codes"), "{page}");
    for command in &commands {
        let page = heddle(&["man", command]).passes().stdout;
        assert!(page.contains(".SH SYNOPSIS") && page.contains(command), "{command}: {page}");
    }
    heddle(&["man", "cosmi"]).fails(2, &["no command 'cosmi'; did you mean 'cosim'?"]);
}
