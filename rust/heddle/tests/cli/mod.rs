//! What the real program prints when all is well.

mod results;

use crate::common::{heddle, text};

#[test]
fn the_version_is_that_of_the_package() {
    let ran = heddle(&["--version"]).passes();
    assert_eq!(ran.stdout, format!("heddle {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn lists_are_printed_in_every_format() {
    for (what, key, names) in [
        ("designs", "design", ["baseline", "ltrf", "racetrack-preshift"].as_slice()),
        ("kernels", "kernel", &["vectoradd", "matrixmul", "hotspot", "bfs"]),
        ("presets", "preset", &["maxwell"]),
    ] {
        let table = heddle(&["list", what, "--format", "table"]).passes().stdout;
        let widest = table.lines().map(|l| l.chars().count()).max();
        assert!(widest <= Some(120), "{widest:?}\n{table}");
        let csv = heddle(&["list", what, "--format", "csv"]).passes().stdout;
        let rows = heddle(&["list", what, "--format", "json"]).passes().json();
        let heads: Vec<&str> = csv.lines().next().expect("a head line").split(',').collect();
        assert_eq!(heads[0], key);
        assert_eq!(csv.lines().count(), rows.len() + 1);
        for name in names {
            assert!(table.contains(name), "{table}");
            assert!(csv.lines().any(|l| l.starts_with(&format!("{name},"))), "{csv}");
            assert!(rows.iter().any(|r| r[key] == *name), "{rows:?}");
        }
        for head in heads {
            assert!(rows.iter().all(|r| r.get(head).is_some()), "{head} is not in {rows:?}");
        }
    }
}

#[test]
fn the_list_of_kernels_shows_what_limits_their_occupancy() {
    let table = heddle(&["list", "kernels"]).passes().stdout;
    let lines: Vec<Vec<&str>> = table.lines().map(|l| l.split_whitespace().collect()).collect();
    let bfs = ["│bfs", "rodinia", "cerf", "osm", "bfs_expand", "512", "22", "0", "regs", "warps", "warps"];
    assert!(lines.iter().any(|l| l.starts_with(&bfs)), "{table}");
    let rows = heddle(&["list", "kernels", "--format", "json"]).passes().json();
    let hotspot = rows.iter().find(|r| r["kernel"] == "hotspot-racetrack").expect("a variant");
    assert_eq!((&hotspot["registers"], &hotspot["fermi"]), (&"60".into(), &"registers".into()));
    // Table 1 of the racetrack paper: two blocks of eight warps on Fermi.
    let fermi = &hotspot["entries"][0]["residency"]["fermi"];
    assert_eq!((&fermi["ctas"], &fermi["warps"]), (&2.into(), &16.into()));
    let csv = heddle(&["list", "kernels", "--format", "csv"]).passes().stdout;
    assert!(
        csv.lines().any(|l| l.contains(",cerf osm ltrf hybrid,") && l.contains(",22 / 12,0 / 0,")),
        "{csv}"
    );
}

#[test]
fn the_list_of_kernels_has_their_character_sheets() {
    let rows = heddle(&["list", "kernels", "--format", "json"]).passes().json();
    for row in &rows {
        assert_eq!(row["sheet"]["fresh"], true, "{}", row["kernel"]);
        let run = &row["sheet"]["runs"]["fermi"];
        for key in ["mix", "lanes", "footprint_bytes", "l1_miss_rate", "reuse"] {
            assert!(run.get(key).is_some(), "{}: no {key}", row["kernel"]);
        }
    }
    let one = heddle(&["list", "kernels", "leukocyte", "--format", "json"]).passes().json();
    let footprint = one[0]["sheet"]["published"].as_array().expect("values").last().expect("one");
    assert_eq!((one.len(), &footprint["row"]), (1, &"osm/leukocyte".into()));
    assert_eq!(footprint["published"][0], 184 << 10);
    assert!(footprint["reason"].as_str().is_some_and(|r| r.contains("gradients")), "{footprint}");
    let sheet = heddle(&["list", "kernels", "leukocyte"]).passes().stdout;
    for part in
        ["leukocyte_flow: block ", "volta, size paper", "  footprint 737 KB", "published (osm/leukocyte)"]
    {
        assert!(sheet.contains(part), "no '{part}' in:\n{sheet}");
    }
    heddle(&["list", "kernels", "leukocite"]).fails(2, &["did you mean 'leukocyte'?"]);
    heddle(&["list", "designs", "leukocyte"]).fails(
        2,
        &["'leukocyte' has a meaning only with 'kernels', 'keys' and 'claims'; `heddle list designs` lists all there are"],
    );
}

#[test]
fn every_kernel_runs_on_the_golden_machine_alone() {
    let kernels = heddle(&["list", "kernels", "--format", "json"]).passes().json();
    for arguments in
        [&["exec", "-q", "--format", "json"][..], &["exec", "-q", "--format", "json", "--as-parsed"]]
    {
        let rows = heddle(arguments).passes().json();
        assert_eq!(rows.len(), kernels.len());
        for row in &rows {
            assert_eq!(row["ok"], true);
            assert!(row["warp_instructions"].as_u64() > Some(0), "{row}");
            assert!(row["reference_words_compared"].as_u64() > Some(0), "{row}");
        }
    }
}

#[test]
fn compile_prints_what_the_compiler_made() {
    let emit = |what| heddle(&["compile", "saxpy.ptx", "--emit", what]).passes().stdout;
    let program = emit("program");
    assert!(program.starts_with("kernel saxpy: 9 registers (architectural)"), "{program}");
    assert!(program.contains("fma.rn.f32") && program.contains("param y at 16, 8 bytes"), "{program}");
    let cfg = emit("cfg");
    assert!(
        cfg.starts_with("digraph \"saxpy\" {") && cfg.contains("B0 -> B1;") && cfg.ends_with("}\n"),
        "{cfg}"
    );
    assert!(emit("liveness").starts_with("kernel saxpy: at most 9 registers live"));
    assert!(emit("intervals").contains("1 register-interval of at most 16 registers"));
    let few =
        heddle(&["compile", "saxpy.ptx", "--emit", "intervals", "--interval-registers", "6"]).passes().stdout;
    let intervals = few.lines().filter(|l| l.starts_with("interval ")).count();
    assert!(intervals > 1 && few.contains("of at most 6 registers"), "{few}");
    let renumbered =
        heddle(&["compile", "saxpy.ptx", "--emit", "intervals", "--interval-registers", "6", "--renumber"]);
    let renumbered = renumbered.passes().stdout;
    assert!(
        renumbered.contains("units of live ranges") && renumbered.contains("intervals before"),
        "{renumbered}"
    );
    heddle(&["compile", "saxpy.ptx", "--renumber"])
        .fails(2, &["--renumber has a meaning with --emit intervals only"]);
}

#[test]
fn compile_begins_loads_early() {
    let file = format!("{}/../workloads/kernels/sgemm/sgemm.ptx", env!("CARGO_MANIFEST_DIR"));
    let registers = |arguments: &[&str]| {
        let program = heddle(&[&["compile", &file], arguments].concat()).passes().stdout;
        let count = program.strip_prefix("kernel sgemm: ").and_then(|rest| rest.split(' ').next());
        count.and_then(|count| count.parse::<u32>().ok()).unwrap_or_else(|| panic!("{program}"))
    };
    let text = registers(&[]);
    assert_eq!(registers(&["--early-loads", "0"]), text);
    assert!(registers(&["--early-loads", "64"]) > text + 20);
    heddle(&["compile", &file, "--early-loads", "256"]).fails(2, &["256 is not in 0..=255"]);
}

/// A graph of the reader's tests.
fn graph(name: &str) -> String {
    format!("{}/../heddle-sass/tests/data/{name}.dot", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn compile_reads_graphs_of_machine_code() {
    let volta = graph("volta");
    let program = heddle(&["compile", &volta]).passes().stdout;
    assert!(
        program.starts_with("function sum: opcodes of sm_70, 18 instructions, 10 registers; 1 more"),
        "{program}"
    );
    assert!(program.contains("00c0 DADD R4, R2, R4\n    writes R4 R5\n    reads R2 R3 R4 R5\n"), "{program}");
    let arguments = ["compile", &volta, "--emit", "intervals", "--interval-registers", "6", "--renumber"];
    let intervals = heddle(&arguments).passes().stdout;
    for part in ["register-intervals of at most 6 registers", "  length     ", "units of live ranges"] {
        assert!(intervals.contains(part), "{intervals}");
    }
    heddle(&["compile", &volta, "--arch", "sm_35"]).fails(1, &["volta.dot:5:", "not known for sm_35"]);
    heddle(&["compile", &volta, "--arch", "sm_1"]).fails(2, &["expected sm_ and one of"]);
    heddle(&["compile", &volta, "--entry", "sun"]).fails(2, &["no function 'sun'; expected one of sum"]);
    heddle(&["compile", &volta, "--emit", "cfg"]).fails(2, &["--emit program and --emit intervals"]);
    heddle(&["compile", &volta, "--link", "saxpy.ptx"]).fails(2, &["--link is for PTX"]);
    heddle(&["compile", "saxpy.ptx", "--arch", "sm_70"])
        .fails(2, &["--arch has a meaning with FILE.dot only"]);
    heddle(&["compile", &volta, "--early-loads", "64"])
        .fails(2, &["--early-loads has a meaning with FILE.ptx only"]);
    heddle(&["compile", &volta, "--max-registers", "20"])
        .fails(2, &["--max-registers has a meaning with FILE.ptx only"]);
    heddle(&["compile", &volta, "--constant-operands"])
        .fails(2, &["--constant-operands has a meaning with FILE.ptx only"]);
    // An accumulator of four registers and the address of a store do not fit.
    let hopper = graph("hopper");
    heddle(&["compile", &hopper, "--emit", "intervals", "--interval-registers", "5"])
        .fails(1, &["hopper.dot: pc 10 ", "accesses 6 registers, but an interval holds at most 5"]);
    heddle(&["compile", "saxpy.ptx", "--emit", "intervals", "--interval-registers", "1"]).fails(
        1,
        &["saxpy.ptx:15:2: pc 2 (line 15:2) accesses 2 registers, but an interval holds at most 1"],
    );
}

#[test]
fn a_launch_template_runs_as_it_is() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let launch = folder.path().join("saxpy.toml");
    let template = heddle(&["launch-template", "saxpy.ptx"]).passes().stdout;
    std::fs::write(&launch, &template).expect("writable");
    let rows =
        heddle(&["exec", "-q", "saxpy.ptx", "--launch", text(&launch), "--format", "json"]).passes().json();
    assert_eq!(rows.len(), 1);
    assert_eq!((&rows[0]["kernel"], &rows[0]["ok"]), (&"saxpy".into(), &true.into()));

    // The commented output, switched on, is written and holds the buffer.
    let with_output = template.replace("# output = \"y.npy\"", "output = \"y.npy\"");
    assert_ne!(template, with_output);
    std::fs::write(&launch, with_output).expect("writable");
    heddle(&["cosim", "-q", "saxpy.ptx", "--launch", text(&launch)]).passes();
    let by_cosim = std::fs::read(folder.path().join("y.npy")).expect("written");
    assert_eq!((by_cosim.len(), &by_cosim[..6]), (128 + 4096, &b"\x93NUMPY"[..]));
    heddle(&["exec", "-q", "saxpy.ptx", "--launch", text(&launch)]).passes();
    assert_eq!(by_cosim, std::fs::read(folder.path().join("y.npy")).expect("written"));
}
