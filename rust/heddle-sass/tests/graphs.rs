//! Graphs of five architectures, whole: instructions, flow, intervals, renumbering; and what is wrong with others.

mod random;

use heddle_isa::{Op, Pc, Program, Traced};
use heddle_passes::{
    Formation, check_intervals, check_renumbering, check_strands, form, form_intervals, renumber,
};
use heddle_port::Reg;
use heddle_sass::{Fault, Function, read};

fn functions(text: &str) -> Vec<Function> {
    read("test.dot", text, None).unwrap_or_else(|error| panic!("{error}"))
}

/// The only function of a graph in `tests/data`.
fn only(text: &str) -> Function {
    let mut all = functions(text);
    assert_eq!(all.len(), 1);
    all.remove(0)
}

fn traced(program: &Program, index: usize) -> &Traced {
    match &program.instrs[index].op {
        Op::Traced(traced) => traced,
        other => panic!("{other:?}"),
    }
}

/// By instruction: those that may follow.
fn flow(program: &Program) -> Vec<Vec<u32>> {
    (0..program.instrs.len()).map(|i| traced(program, i).next.iter().map(|pc| pc.0).collect()).collect()
}

/// The instruction with this text in the listing.
fn place(program: &Program, text: &str) -> usize {
    let found = program.source.text.lines().position(|line| line.contains(text));
    found.unwrap_or_else(|| panic!("{text} in {}", program.source.text))
}

#[test]
fn a_graph_shows_its_architecture_its_function_and_what_is_never_reached() {
    for (text, architecture, name, instructions, unreached) in [
        (include_str!("data/kepler.dot"), 35, "scale", 17, 1),
        // What Maxwell and Pascal have in common is taken for Maxwell's.
        (include_str!("data/pascal.dot"), 50, "pick", 18, 0),
        (include_str!("data/volta.dot"), 70, "sum", 18, 1),
        (include_str!("data/ampere.dot"), 80, "product", 17, 0),
        (include_str!("data/hopper.dot"), 90, "group", 12, 0),
    ] {
        let function = only(text);
        assert_eq!((function.architecture, function.program.name.as_str()), (architecture, name));
        assert_eq!((function.program.instrs.len(), function.unreached), (instructions, unreached), "{name}");
        assert!(!function.shares_registers);
    }
}

#[test]
fn control_goes_on_where_the_edges_lead() {
    let volta = only(include_str!("data/volta.dot")).program;
    let flow_of = |text| flow(&volta)[place(&volta, text)].clone();
    assert_eq!(flow_of("@P0 BRA"), [7, 14]);
    assert_eq!(flow_of("IMAD.MOV.U32 R6"), [8]);
    assert_eq!(flow_of("@!P0 BRA"), [8, 14]);
    assert_eq!(flow_of("BSYNC"), [15]);
    assert_eq!(flow_of("EXIT"), []);

    // Without ports, by the names of the targets.
    let pascal = only(include_str!("data/pascal.dot")).program;
    let flow_of = |text| flow(&pascal)[place(&pascal, text)].clone();
    assert_eq!(flow_of("SSY"), [8]);
    assert_eq!(flow_of("@P0 BRA"), [9, 12]);
    assert_eq!(flow_of("0078 SYNC"), [14]);

    // A branch on a uniform predicate is one with a condition.
    let hopper = only(include_str!("data/hopper.dot")).program;
    assert_eq!(flow(&hopper)[place(&hopper, "BRA.U")], [9, 10]);
}

#[test]
fn edges_without_a_side_leave_where_their_port_is() {
    let program = only(
        r#"digraph f { a [label="{<entry>0000: NOP;\l|<exit0>0010: @P0 BRA `(b);\l|<exitpost0>0020: NOP;\l}"]
        a:exit0 -> b a:exitpost0 -> c
        b [label="0030: EXIT;"] c [label="0040: EXIT;"] }"#,
    )
    .program;
    assert_eq!(flow(&program), [vec![1], vec![2, 3], vec![4], vec![], vec![]]);
}

/// An edge to another function is one, and what is not reached needs none.
#[test]
fn a_direct_branch_has_an_edge() {
    let all = functions(
        r#"digraph f { subgraph "cluster_k" {
        "k" [label="{<entry>0000: MOV R4, 0x1;\l|<exit0>0010: JMP `(g);\l|<exitpost0>0020: BRA `(.L_1);\l}"]
        "k":exit0:e -> "g":entry:n;
        } subgraph "cluster_g" { "g" [label="{<entry>0000: EXIT;\l}"] } }"#,
    );
    assert_eq!((all.len(), all[0].unreached), (2, 1));
    let refused = |text| read("x.dot", text, Some(70)).expect_err("no edge").fault;
    // The way past a branch with a condition is not the one that it takes.
    let past = refused(
        r#"digraph f { a [label="@P0 BRA `(c);"] a:entry:s -> b b [label="EXIT;"] c [label="EXIT;"] }"#,
    );
    assert!(
        matches!(&past, Fault::Branch { branch, node } if branch == "@P0 BRA `(c)" && node == "a"),
        "{past}"
    );
    // One that goes through a register or through memory, or to a function of another file, can end the way.
    for indirect in ["BRX R2 -0x10", "JMP c[0x0][0x160]", "RET.REL.NODEC R20 0x0", "JMP `(other)"] {
        let text = format!("digraph f {{ a [label=\"{indirect};\"] }}");
        assert_eq!(read("x.dot", &text, Some(70)).map(|all| all.len()), Ok(1), "{indirect}");
    }
}

#[test]
fn a_guarded_write_is_partial() {
    let kepler = only(include_str!("data/kepler.dot")).program;
    let partial: Vec<usize> = (0..kepler.instrs.len()).filter(|&i| traced(&kepler, i).partial).collect();
    assert_eq!(partial, [place(&kepler, "@P0 EXIT"), place(&kepler, "@P0 BRA")]);
}

#[test]
fn intervals_and_strands_of_all_graphs_are_right() {
    for text in [
        include_str!("data/kepler.dot"),
        include_str!("data/pascal.dot"),
        include_str!("data/volta.dot"),
        include_str!("data/ampere.dot"),
        include_str!("data/hopper.dot"),
    ] {
        let program = only(text).program;
        for limit in [10, 16, 255] {
            let (cut, intervals) = form_intervals(&program, limit).expect("intervals");
            check_intervals(&cut, &intervals).expect("right");
            let (cut, strands) = form(&program, limit, Formation::Strand).expect("strands");
            check_intervals(&cut, &strands).expect("right");
            check_strands(&cut, &strands).expect("strands");
        }
    }
}

/// Two fours in the same banks of 16, a pair and a single register beside them.
const FOURS: &str = r#"digraph f {
"k" [label="{<entry>k:\l0000: CS2R R40, SRZ;\l0010: LDG.E.128 R0, [R40];\l0020: LDG.E.128 R16, [R40+0x10];\l
0030: HMMA.16816.F32 R16, R0, R40, R16;\l0040: STG.E.128 [R40], R16;\l<x>0050: EXIT;\l}"]
}"#;

#[test]
fn renumbering_keeps_wide_operands_whole_and_removes_conflicts() {
    let program = read("fours.dot", FOURS, Some(80)).expect("a graph").remove(0).program;
    let (cut, intervals) = form_intervals(&program, 16).expect("intervals");
    let new = renumber(&cut, &intervals, 16).expect("renumbered");
    check_renumbering(&cut, &new.program).expect("the same program");
    check_intervals(&new.program, &new.intervals).expect("right");
    assert_eq!((new.before.iter().sum::<u32>(), new.after.iter().sum::<u32>()), (1, 0));
}

#[test]
fn an_operand_that_is_torn_apart_is_found() {
    let program = read("fours.dot", FOURS, Some(80)).expect("a graph").remove(0).program;
    let exchanged = |a: u32, b: u32| {
        let mut new = program.clone();
        let image = |r: &mut Reg| {
            *r = Reg(if r.0 == a {
                b
            } else if r.0 == b {
                a
            } else {
                r.0
            })
        };
        for instr in &mut new.instrs {
            instr.dsts.iter_mut().for_each(image);
            for source in &mut instr.srcs {
                if let heddle_isa::Operand::Reg(r) = source {
                    image(r);
                }
            }
        }
        check_renumbering(&program, &new)
    };
    let error = exchanged(3, 30).expect_err("R3 is not with R0 to R2").to_string();
    assert!(error.contains("an operand that was 4 registers from R0 on"), "{error}");
    exchanged(29, 30).expect("what is not used can be exchanged");
}

#[test]
fn an_interval_ends_at_a_call() {
    let text = r#"digraph f { subgraph "cluster_k" {
        "k" [label="{<entry>k:\l0000: MOV R4, 0x1;\l|<exit0>0010: CALL.REL.NOINC `(g);\l|<exitpost0>0020: MOV R5, R4;\l0030: EXIT;\l}"]
        "k":exit0:e -> "g":entry:n [style=dashed];
    } subgraph "cluster_g" { "g" [label="{<entry>g:\l0000: IADD3 R4, R4, 0x1, RZ;\l0010: RET.REL.NODEC R20 `(k);\l}"] } }"#;
    let all = functions(text);
    assert!(all.iter().all(|f| f.shares_registers) && all.len() == 2);
    let (cut, mut intervals) = form_intervals(&all[0].program, 16).expect("intervals");
    assert_eq!(intervals.intervals.iter().map(|i| i.header).collect::<Vec<_>>(), [Pc(0), Pc(2)]);
    check_intervals(&cut, &intervals).expect("right");
    intervals.intervals.truncate(1);
    intervals.of_pc.fill(intervals.intervals[0].id);
    intervals.intervals[0].working_set.set(5, true);
    let error = check_intervals(&cut, &intervals).expect_err("it goes on behind the call").to_string();
    assert!(error.contains("at a call"), "{error}");
}

#[test]
fn what_is_wrong_is_said_with_line_and_column() {
    let block = |line: &str| format!("digraph f {{\n\"k\" [label=\"{{<entry>{line}\\l}}\"]\n}}");
    let error = |text: &str, architecture| read("x.dot", text, architecture).expect_err("an error");
    for (text, line, column, part) in [
        ("graph f {}".to_owned(), 1, 1, "expected 'digraph', found 'graph'"),
        ("digraph f {\n\"a".to_owned(), 2, 1, "at the end of a string"),
        ("digraph f {\n a -- b }".to_owned(), 2, 4, "found '-'"),
        ("digraph f { a -> b }".to_owned(), 1, 13, "no such node"),
        ("digraph f {}".to_owned(), 1, 1, "no function"),
        ("digraph f {} x".to_owned(), 1, 14, "behind the graph"),
        (block("0000: WHAT R1"), 2, 21, "opcode 'WHAT' is not known"),
        (block("0000: ??"), 2, 21, "is no instruction"),
        (block("0000: FADD R300, R1, R2"), 2, 21, "'R300' is no register; expected R0 to R254 or RZ"),
        (block("0000: LDG.E R1, [R-1]"), 2, 21, "'R-1' is no register; expected R0 to R254 or RZ"),
        (block("0000: @!P99 EXIT"), 2, 21, "'P99' is no register; expected P0 to P6 or PT"),
        (block("HGMMA.64x256x16.F32 R200, gdesc[UR4], R200, gsb0"), 2, 21, "ends at R327"),
        (block("0000: NOP;\\l0000: EXIT"), 2, 33, "a second instruction at 0000"),
        (block("0000: BRA `(.L_7);"), 2, 21, "'BRA `(.L_7)' in 'k' has no edge"),
        ("digraph f { a [label=\"EXIT\" label=\"NOP\"] }".to_owned(), 1, 29, "a second label"),
        (
            "digraph f { subgraph c { a [label=\"EXIT\"] } subgraph c { b [label=\"EXIT\"] } }".to_owned(),
            1,
            54,
            "a second subgraph 'c'",
        ),
        ("digraph f { a [label=\"EXIT\"] a [label=\"EXIT\"] }".to_owned(), 1, 40, "a second node 'a'"),
        ("digraph f { a [label=\"EXIT\"] a:exit0:e -> a }".to_owned(), 1, 30, "leaves 'a' at 'exit0'"),
    ] {
        let error = error(&text, None);
        assert_eq!((error.at.line, error.at.column), (line, column), "{error}");
        assert!(error.to_string().contains(part), "{error}");
    }
    let error = error(&block("0000: EXIT"), Some(20));
    assert!(matches!(error.fault, Fault::Architecture { architecture: 20 }), "{error}");
}

#[test]
fn any_cut_of_a_graph_is_read_or_refused() {
    let text = include_str!("data/pascal.dot");
    for end in 0..text.len() {
        let _ = read("cut.dot", &text[..end], None);
    }
}
