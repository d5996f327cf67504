//! One mutant of each kind in `baseline`, judged.

use std::path::{Path, PathBuf};

use heddle_cosim::{Engine, Kernel, PreparedDesign, RunSpec};
use heddle_mutate::{Bench, PortTraffic, Verdict, judge, sites};
use heddle_rtl::mutants::{self, Mutant};
use heddle_workloads::Size;

const PICKS: &str = "rtl/common/rotating_picks.sv";
const CAPTURE: &str = "rtl/common/config_capture.sv";
const COLLECTORS: &str = "rtl/common/collector_array.sv";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the workspace").to_owned()
}

/// The mutant that replaces an expression which stands in a file once.
fn mutant(file: &str, original: &str, replacement: &str) -> Mutant {
    let text = std::fs::read_to_string(root().join(file)).expect("a source");
    let found: Vec<usize> = text.match_indices(original).map(|(at, _)| at).collect();
    let [start] = found[..] else { panic!("{original} stands {} times in {file}", found.len()) };
    Mutant { file: file.into(), start, end: start + original.len(), replacement: replacement.into() }
}

/// That which the list of sites has.
fn listed(sites: &[heddle_mutate::Site], original: &str, replacement: &str) -> Mutant {
    let is = |site: &&heddle_mutate::Site| {
        site.file == Path::new(PICKS) && site.original == original && site.replacement == replacement
    };
    sites.iter().find(is).unwrap_or_else(|| panic!("no site {original} -> {replacement}")).mutant()
}

#[test]
fn each_mutant_gets_its_verdict() {
    let kernel = Kernel::Workload { name: "vectoradd".into(), size: Size::Smoke };
    let spec = RunSpec::new(root(), "baseline", kernel, Engine::Cosim);
    let PreparedDesign { manifest, elaboration, .. } = PreparedDesign::new(&spec).expect("a design");
    let sites = sites(&root(), &manifest).expect("sites; scripts/tools.sh lint gets what they need");
    let list = [
        listed(&sites, "rest & ~winner", "(rest) | (~winner)"),
        // Without effect: a rotation that begins behind the last place begins at the first.
        listed(&sites, "'1", "'0"),
        mutant(PICKS, "request_i & ~rest", "(request_i & ~rest) | '0"),
        mutant(PICKS, "winner - Width'(1)", "no_such_signal"),
        listed(&sites, "winner | (winner - Width'(1))", "(winner) & ((winner - Width'(1)))"),
        // The SM offers no instruction to a slot that is not ready; the port bench does.
        mutant(COLLECTORS, "issue_i[slot].valid && !ready_q[slot]", "1'b0"),
        // The configuration inputs hold for a cycle only.
        mutant(CAPTURE, "captured_q ? config_q : config_i", "config_i"),
        // A loop: what is taken decides what is valid, and the other way round.
        mutant(PICKS, "take_i[p] && rest != '0", "(take_i[p] && rest != '0) ^ taken_o[p]"),
    ];
    let library =
        mutants::build(&root(), &manifest, &elaboration, &list, &mut |_| {}).expect("the rest is built");
    let ports = PortTraffic::all(&spec, 2_000).expect("its settings").swap_remove(0);
    let mut benches = Bench::all(vec![spec], ports, &library, &mut ()).expect("the design itself passes");
    let mut verdicts = Vec::new();
    for at in 0..list.len() {
        verdicts.push(judge(&mut benches, &library, at, 1, &mut ()).expect("a run"));
    }
    assert!(matches!(verdicts[0], Verdict::Killed { cycle: 1.., .. }), "{:?}", verdicts[0]);
    assert_eq!(verdicts[1], Verdict::Survived { passed: benches.len(), active: benches.len() });
    assert!(matches!(verdicts[2], Verdict::NotActivated { evaluations: 1.. }), "{:?}", verdicts[2]);
    let Verdict::NotInjectable { message } = &verdicts[3] else { panic!("{:?}", verdicts[3]) };
    assert!(message.contains("no_such_signal"), "{message}");
    assert!(matches!(verdicts[4], Verdict::Killed { .. }), "{:?}", verdicts[4]);
    let Verdict::Killed { check, run, cycle: 1.. } = &verdicts[5] else { panic!("{:?}", verdicts[5]) };
    assert_eq!((check.as_str(), run.as_str()), ("control output", "port bench, seed 1"));
    assert!(matches!(verdicts[6], Verdict::Killed { .. }), "{:?}", verdicts[6]);
    assert!(matches!(verdicts[7], Verdict::Killed { .. }), "{:?}", verdicts[7]);
}

#[test]
fn traffic_that_breaks_the_contract_and_further_elaborations_judge_too() {
    const TOP: &str = "rtl/baseline/baseline_top.sv";
    const BANK: &str = "rtl/baseline/register_bank.sv";
    let kernel = Kernel::Workload { name: "vectoradd".into(), size: Size::Smoke };
    let spec = RunSpec::new(root(), "baseline", kernel, Engine::Cosim);
    let list = [
        // No run that keeps the contract has a row beyond those in use.
        mutant(BANK, "16'(row) >= rows_in_use_i", "1'b0"),
        // The default has one sub-core.
        mutant(TOP, "32'(command_i.warp) % SubCores == s", "32'(command_i.warp) % SubCores != s + 32'd1"),
    ];
    let ports = PortTraffic::all(&spec, 2_000).expect("its settings");
    let judged = |ports: Vec<PortTraffic>, spec: Option<RunSpec>| {
        let PreparedDesign { manifest, elaboration, .. } = ports[0].design().clone();
        let library = mutants::build(&root(), &manifest, &elaboration, &list, &mut |_| {}).expect("a model");
        let mut benches =
            Bench::all(spec.into_iter().collect(), ports, &library, &mut ()).expect("the design passes");
        [0, 1].map(|at| judge(&mut benches, &library, at, 1, &mut ()).expect("a run"))
    };
    let cores = |ports: &Vec<PortTraffic>| ports[0].design().instance.parameters.get("sub_cores") == Some(4);
    let sub_cores = ports.iter().find(|ports| cores(ports)).expect("a setting with sub-cores").clone();
    let default = ports.into_iter().next().expect("what is asked for");
    let [row, core] = judged(default, Some(spec));
    let Verdict::Killed { check, run, .. } = &row else { panic!("{row:?}") };
    assert_eq!(check, "fault detector");
    assert!(run.starts_with("port bench with registers beyond the rows in use, seed "), "{run}");
    assert!(!matches!(core, Verdict::Killed { .. }), "{core:?}");
    let [_, core] = judged(sub_cores, None);
    let Verdict::Killed { run, .. } = &core else { panic!("{core:?}") };
    assert!(run.contains(" --set register_file.sub_cores=4 "), "{run}");
}
