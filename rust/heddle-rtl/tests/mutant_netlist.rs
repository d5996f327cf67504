//! The netlist of a mutant against that of its design.

use std::path::{Path, PathBuf};

use heddle_rtl::mutants::Mutant;
use heddle_rtl::{Manifest, netlist};

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

#[test]
#[ignore = "a minute: yosys makes four netlists; needs the tools of `make formal`"]
fn a_mutant_of_logic_that_a_design_leaves_out_has_its_netlist() {
    const QUEUE: &str = "rtl/hybrid/result_queue.sv";
    let manifest = Manifest::load(&root(), "sttram").expect("a manifest");
    let elaboration = manifest.elaboration(None).expect("it has one");
    let own = netlist::reduced(&root(), &manifest, elaboration, None).expect("a netlist");
    let of = |mutant: &Mutant| netlist::reduced(&root(), &manifest, elaboration, Some(mutant));
    // Only hybrid reads which places hold a result.
    let unread = mutant(QUEUE, "place_t'(e) - head_q", "place_t'(e) + head_q");
    assert!(of(&unread).expect("a netlist") == own);
    let order = mutant(QUEUE, "head_q + place_t'(count_d)", "head_q - place_t'(count_d)");
    assert!(of(&order).expect("a netlist") != own);
    let refused = mutant(QUEUE, "place_t'(e) - head_q", "no_such_signal");
    let says = of(&refused).expect_err("no such signal").to_string();
    assert!(says.contains("no netlist of sttram_top") && says.contains("no_such_signal"), "{says}");
    let elsewhere = Mutant { file: "rtl/ltrf/fill_arbiter.sv".into(), ..order.clone() };
    assert!(of(&elsewhere).expect_err("no source").to_string().contains("no source of design 'sttram'"));
    let beyond = Mutant { end: usize::MAX, ..order };
    assert!(of(&beyond).expect_err("no such place").to_string().contains("are not in it"));
}
