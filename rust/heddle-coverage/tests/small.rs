//! Reader, sums, holes, rules and page on a module of a few lines.

use std::collections::BTreeMap;
use std::path::Path;

use heddle_coverage::{
    Counts, Coverage, CoverageError, Kind, Rules, Run, Share, Whose, data, judged, kept, page,
};
use heddle_manifest::Manifest;

/// The source of the module, `rtl/small/queue.sv`.
const SOURCE: &str = "module queue;\n  assign room = count_q != 2;\n  always_ff @(posedge clk_i) begin\n    \
                      if (push_i) count_q <= count_q + 1;\n    else idle_q <= 1;\n  end\nendmodule\n";

/// Coverage data with the given counts: the block, both sides of the condition, the edges of bit 1 of the counter, a
/// bit of data, and a cover.
fn counted([block, pushed, idle, rises, falls, datum, full]: [u64; 7]) -> String {
    let point = |file: &str, line: u32, kind: &str, what: &str, lines: &str, count: u64| {
        let keys =
            [("f", file), ("l", &line.to_string()), ("n", "3"), ("t", kind), ("page", "v"), ("o", what)];
        let last = [("S", lines), ("h", "TOP.queue")];
        let all = keys.iter().chain(&last).filter(|(_, value)| !value.is_empty());
        let keys: String = all.map(|(key, value)| format!("\u{1}{key}\u{2}{value}")).collect();
        format!("C '{keys}' {count}\n")
    };
    let queue = "rtl/small/queue.sv";
    let covers = "testbench/small/queue_covers.sv";
    let assertions = "testbench/small/queue_assertions.sv";
    let points = [
        point(queue, 3, "line", "block", "3", block),
        point(queue, 4, "branch", "if", "4", pushed),
        point(queue, 4, "branch", "else", "5", idle),
        point(queue, 2, "toggle", "count_q[1]:0->1", "", rises),
        point(queue, 2, "toggle", "count_q[1]:1->0", "", falls),
        point(queue, 2, "toggle", "item_q[0].data[7]:0->1", "", datum),
        point(covers, 9, "user", "Full", "9", full),
        // Not a source of the design.
        point(assertions, 5, "line", "block", "5", 0),
    ];
    format!("# SystemC::Coverage-3\n{}", points.concat())
}

fn read(counts: [u64; 7]) -> Counts {
    data::read(&counted(counts)).expect("coverage data")
}

/// A repository with the source.
fn root() -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a folder");
    for (folder, file, text) in
        [("rtl/small", "queue.sv", SOURCE), ("testbench/small", "queue_covers.sv", "module queue_covers;\n")]
    {
        std::fs::create_dir_all(root.path().join(folder)).expect("a folder");
        std::fs::write(root.path().join(folder).join(file), text).expect("a file");
    }
    root
}

const DATA: &str = "[[not_control]]\nsignals = [\"queue.item_q.*\"]\nreason = \"Payload.\"\n";

fn judge(rules: &str, counts: Counts) -> Result<Coverage, CoverageError> {
    let mut all = Rules::default();
    all.take(Path::new("coverage.toml"), rules, Whose::Own)?;
    judged(root().path(), &all, counts, Vec::new())
}

#[test]
fn runs_and_elaborations_add_up() {
    let mut counts = read([3, 1, 0, 1, 0, 0, 0]);
    counts.merge(read([2, 0, 2, 0, 0, 0, 1]));
    let coverage = judge(DATA, counts).expect("rules that fit");
    let share = |kind| coverage.all.of(kind);
    assert_eq!(share(Kind::Line), Share { reached: 3, of: 3 });
    assert_eq!(share(Kind::Branch), Share { reached: 2, of: 2 });
    assert_eq!(share(Kind::Toggle), Share { reached: 1, of: 2 });
    assert_eq!(share(Kind::Cover), Share { reached: 1, of: 1 });
    assert_eq!(coverage.modules.keys().collect::<Vec<_>>(), ["queue"], "the covers are the module's");
    let [hole] = &coverage.holes[..] else { panic!("{:?}", coverage.holes) };
    assert_eq!((hole.kind, hole.what.as_str(), hole.line), (Kind::Toggle, "queue.count_q", 2));
    assert_eq!((hole.missing, hole.of, hole.text.as_str()), (1, 2, "assign room = count_q != 2;"));
}

#[test]
fn a_line_that_no_run_executes_is_a_hole_with_its_place() {
    let coverage = judge(DATA, read([3, 3, 0, 1, 1, 1, 1])).expect("rules that fit");
    let holes: Vec<(Kind, u32, &str)> =
        coverage.holes.iter().map(|hole| (hole.kind, hole.line, hole.text.as_str())).collect();
    let condition = "if (push_i) count_q <= count_q + 1;";
    assert_eq!(holes, [(Kind::Line, 5, "else idle_q <= 1;"), (Kind::Branch, 4, condition)]);
    assert_eq!(coverage.all.of(Kind::Line), Share { reached: 2, of: 3 });
}

#[test]
fn a_reason_explains_a_hole_and_needs_one() {
    let counts = || read([3, 3, 0, 1, 0, 0, 0]);
    let falls = "[[reasons]]\nsignals = [\"queue.count_q\"]\nreason = \"It only rises.\"\n";
    let full = "[[reasons]]\nsignals = [\"queue_covers.Full\"]\nreason = \"Nobody pushes twice.\"\n";
    let line = "[[reasons]]\nfile = \"rtl/small/queue.sv\"\nline = \"else idle_q <= 1;\"\nreason = \"Never idle.\"\n";
    let rules = [DATA, falls, full, line].concat();
    let coverage = judge(&rules, counts()).expect("each names a hole");
    let reasons: BTreeMap<(Kind, &str), Option<&str>> =
        coverage.holes.iter().map(|h| ((h.kind, h.what.as_str()), h.reason.as_deref())).collect();
    assert_eq!(reasons[&(Kind::Toggle, "queue.count_q")], Some("It only rises."));
    assert_eq!(reasons[&(Kind::Cover, "queue_covers.Full")], Some("Nobody pushes twice."));
    assert_eq!(reasons[&(Kind::Line, "")], Some("Never idle."));
    assert_eq!(reasons[&(Kind::Branch, "else")], None, "another line");
    assert_eq!(coverage.all.of(Kind::Toggle), Share { reached: 1, of: 2 }, "a reason reaches nothing");
    assert_eq!(coverage.with_reasons(Kind::Toggle), Share { reached: 2, of: 2 });

    let reached = read([3, 3, 1, 1, 1, 0, 1]);
    for (rule, place) in
        [(falls, "'queue.count_q'"), (full, "'queue_covers.Full'"), (line, "'else idle_q <= 1;'")]
    {
        let error = judge(&[DATA, rule].concat(), reached.clone()).expect_err("no hole").to_string();
        assert!(error.contains(place) && error.contains("names no hole"), "{error}");
    }
    let other = line.replace("else idle_q", "else other_q");
    let error = judge(&[DATA, &other].concat(), counts()).expect_err("no such line").to_string();
    assert!(error.contains("names no hole"), "{error}");
}

#[test]
fn wrong_rules_are_refused() {
    for (rules, what) in [
        (
            "[[not_control]]\nsignals = [\"queue.gone_q\"]\nreason = \"Payload.\"\n",
            "'queue.gone_q' names no signal",
        ),
        (
            "[[not_control]]\nsignals = [\"que*.gone_q\"]\nreason = \"Payload.\"\n",
            "'que*.gone_q' names no signal",
        ),
        (
            "[[not_control]]\nsignals = [\"queue.item_q.*\"]\nreason = \" \"\n",
            "queue.item_q.*: expected a reason",
        ),
        ("[[reasons]]\nsignals = [\"queue.count_q\"]\nreason = \"\"\n", "'queue.count_q': expected a reason"),
        (
            "[[reasons]]\nfile = \"rtl/small/queue.sv\"\nreason = \"So.\"\n",
            "expected either 'signals', or 'file'",
        ),
        ("[[reasons]]\nreason = \"So.\"\n", "expected either 'signals', or 'file'"),
        ("[[runs]]\ndesign = \"small\"\nset = [\"depth\"]\nreason = \"So.\"\n", "depth"),
        ("[[reason]]\n", "unknown field"),
    ] {
        let error = judge(rules, read([1, 0, 0, 0, 0, 0, 0])).expect_err(rules).to_string();
        assert!(error.starts_with("coverage.toml: ") && error.contains(what), "{error}");
    }
    // A pattern for a cell that this design does not have.
    judge("[[not_control]]\nsignals = [\"stack.*\"]\nreason = \"Payload.\"\n", read([1; 7])).expect("taken");
}

#[test]
fn rules_of_another_design_give_signals_alone() {
    let reason = "[[reasons]]\nsignals = [\"queue.nothing\"]\nreason = \"Of another design.\"\n";
    let judge = |whose| {
        let mut rules = Rules::default();
        rules.take(Path::new("other.toml"), &[DATA, reason].concat(), whose).expect("in form");
        judged(root().path(), &rules, read([1, 1, 1, 1, 1, 0, 1]), Vec::new())
    };
    assert_eq!(judge(Whose::Other).expect("taken").holes, []);
    let error = judge(Whose::Common).expect_err("a reason that nothing needs").to_string();
    assert!(error.contains("'queue.nothing'") && error.contains("names no hole"), "{error}");
}

#[test]
fn a_common_reason_needs_one_of_its_patterns() {
    let counts = read([1, 1, 1, 1, 0, 0, 1]);
    let reason = "[[reasons]]\nsignals = [\"*.count_q\", \"stack.count_q\"]\nreason = \"It only rises.\"\n";
    let mut rules = Rules::default();
    rules.take(Path::new("common.toml"), &[DATA, reason].concat(), Whose::Common).expect("in form");
    let coverage = judged(root().path(), &rules, counts.clone(), Vec::new()).expect("one names a hole");
    assert_eq!(coverage.with_reasons(Kind::Toggle), Share { reached: 2, of: 2 });
    let error = judge(&[DATA, reason].concat(), counts).expect_err("its own").to_string();
    assert!(error.contains("'stack.count_q'") && !error.contains("'*.count_q'"), "{error}");
}

#[test]
fn a_reason_explains_no_more_edges_than_it_says() {
    let reason = "[[reasons]]\nsignals = [\"queue.count_q\"]\nmost = 1\nreason = \"It only rises.\"\n";
    let rules = [DATA, reason].concat();
    let coverage = judge(&rules, read([1, 1, 1, 1, 0, 0, 1])).expect("one edge");
    assert_eq!(coverage.with_reasons(Kind::Toggle), Share { reached: 2, of: 2 });
    let coverage = judge(&rules, read([1, 1, 1, 0, 0, 0, 1])).expect("a hole with more edges is one");
    assert_eq!(coverage.with_reasons(Kind::Toggle), Share { reached: 0, of: 2 });
    let error = judge(&rules, read([1, 1, 1, 1, 1, 0, 1])).expect_err("no hole").to_string();
    assert!(error.contains("'queue.count_q'") && error.contains("names no hole"), "{error}");
}

#[test]
fn wrong_data_are_refused_with_their_line() {
    let good = counted([1; 7]);
    for (text, what) in [
        (String::new(), "line 1: expected '# SystemC::Coverage-3'"),
        ("# SystemC::Coverage-3\n".to_owned(), "line 1: expected points of sources below rtl/"),
        (good.replacen("\u{1}t\u{2}line", "\u{1}t\u{2}fsm", 1), "line 2: kind 'fsm'"),
        (good.replacen("' 1", "' many", 1), "line 2: count 'many'"),
        (good.replacen("\u{1}l\u{2}3", "\u{1}l\u{2}x", 1), "line 2: key 'l' is 'x'"),
        (good.replacen("\u{1}o\u{2}block", "", 1), "line 2: expected key 'o'"),
        (good.replacen("\u{1}S\u{2}3", "\u{1}S\u{2}9-3", 1), "line 2: lines '9-3'"),
        (good.replacen("C '", "D '", 1), "line 2: expected C 'KEYS' COUNT"),
    ] {
        let error = data::read(&text).expect_err(what).to_string();
        assert!(error.starts_with(what), "{error}");
    }
}

#[test]
fn the_tables_stand_between_their_markers() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("coverage.md");
    let text = "# Coverage\n<!-- coverage other -->\nkept\n<!-- end -->\n<!-- coverage small -->\nold\n<!-- end -->\nend\n";
    std::fs::write(&path, text).expect("a file");
    let reason = "[[reasons]]\nsignals = [\"queue.count_q\"]\nreason = \"It only rises.\"\n";
    let mut coverage = judge(&[DATA, reason].concat(), read([3, 3, 0, 1, 0, 0, 1])).expect("rules that fit");
    let (design, overrides) = ("small".to_owned(), vec!["depth=3".parse().expect("a setting")]);
    coverage.runs.push(Run {
        design,
        overrides,
        kernels: vec!["bfs".to_owned(), "lud".to_owned()],
        kernel_cycles: 70,
        bench_cycles: 9,
    });
    page::write(&path, "small", &coverage).expect("a marker");
    let written = std::fs::read_to_string(&path).expect("a file");
    assert!(
        written.contains("kept\n") && !written.contains("old\n") && written.ends_with("\nend\n"),
        "{written}"
    );
    for row in [
        "| `small --set depth=3` | bfs, lud | 70 | 9 |",
        "| queue | 66.7 % of 3 | 50.0 % of 2 | 50.0 % of 2 | 100 % of 1 |",
        "| rtl/small/queue.sv:5 | `else idle_q <= 1;` |",
        "| rtl/small/queue.sv:4 | else of `if (push_i) count_q <= count_q + 1;` |",
        "| It only rises. | – | – | 1 | – |",
    ] {
        assert!(written.contains(row), "{row}\n{written}");
    }
    assert!(!written.contains("`queue.count_q`"), "it has a reason: {written}");
    let error = page::write(&path, "nothing", &coverage).expect_err("no marker").to_string();
    assert!(error.contains("'<!-- coverage nothing -->'"), "{error}");
}

#[test]
fn what_was_counted_is_kept_as_long_as_the_sources_stay() {
    let (root, results) = (root(), tempfile::tempdir().expect("a folder"));
    let path = kept::path(results.path(), "small");
    let counts = read([3, 1, 2, 1, 0, 5, 1]);
    let set = vec!["depth=3".parse().expect("a setting")];
    let run = |overrides| Run {
        design: "small".to_owned(),
        overrides,
        kernels: vec!["bfs".to_owned()],
        kernel_cycles: 70,
        bench_cycles: 9,
    };
    let runs = [run(set), run(Vec::new())];
    kept::write(&path, root.path(), &counts, &runs).expect("written");
    assert_eq!(kept::read(&path, root.path()).expect("kept"), (counts, runs.to_vec()));

    std::fs::write(root.path().join("rtl/small/queue.sv"), SOURCE.replace("!= 2", "!= 3")).expect("a file");
    let error = kept::read(&path, root.path()).expect_err("another source").to_string();
    assert!(error.contains("a source has changed"), "{error}");
    std::fs::write(&path, "{}").expect("a file");
    let error = kept::read(&path, root.path()).expect_err("no counts").to_string();
    assert!(error.contains("missing field"), "{error}");
}

/// The rules of every design are in form, and each of their runs names one of its variants.
#[test]
fn the_rules_of_all_designs_are_read() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    for name in Manifest::names(root).expect("the designs") {
        let manifest = Manifest::load(root, &name).expect("the manifest");
        let rules = Rules::load(root, &manifest).unwrap_or_else(|e| panic!("{e}"));
        rules.settings(root, &manifest).unwrap_or_else(|e| panic!("{e}"));
    }
}

#[test]
fn a_run_of_another_top_is_refused() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let manifest = Manifest::load(root, "osm").expect("the manifest");
    let run = |design: &str| {
        let mut rules = Rules::default();
        let text = format!("[[runs]]\ndesign = \"{design}\"\nset = []\nreason = \"a reason\"\n");
        rules.take(Path::new("coverage.toml"), &text, Whose::Own).expect("in form");
        rules.settings(root, &manifest).map_err(|e| e.to_string())
    };
    assert!(run("ucm").is_ok());
    let error = run("cerf").expect_err("the top of cerf");
    assert!(error.contains("expected a design of osm_top, not of cerf_top"), "{error}");
}
