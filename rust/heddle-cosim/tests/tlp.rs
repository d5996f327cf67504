//! The number of CTAs that racetracks keep resident, by entry.

use std::collections::BTreeMap;

use heddle_cosim::{Engine, Kernel, Per, RunSpec, Session, choose_tlp, with_choices};
use heddle_workloads::Size;

use crate::common;

fn spec() -> RunSpec {
    let kernel = Kernel::Workload { name: "histo-racetrack".to_owned(), size: Size::Smoke };
    let mut spec = RunSpec::new(common::root(), "racetrack-plain", kernel, Engine::Sim);
    spec.per = Per::Entry;
    spec
}

/// Entries of one kernel have room for different numbers of CTAs, and each gets its own.
#[test]
fn each_entry_of_a_kernel_keeps_as_many_ctas_as_its_own_profile_finds_best() {
    let all = Session::new(spec()).and_then(|mut session| session.run(&mut ())).expect("it runs");
    let fit: Vec<(&str, u32)> = all.parts.iter().map(|p| (p.entry.as_str(), p.resident_ctas)).collect();
    let choices = choose_tlp(&spec(), &mut ()).expect("a profile");
    let profiled: Vec<(&str, u32)> =
        choices.iter().map(|choice| (choice.entry.as_str(), choice.points.len() as u32)).collect();
    assert_eq!(profiled, fit, "one point for each number that fits");
    assert!(fit.iter().any(|(_, ctas)| *ctas != fit[0].1), "as many of all fit: {fit:?}");
    for choice in &choices {
        assert!(choice.points.iter().map(|point| point.ctas).eq(1..=choice.points.len() as u32));
        let best = choice.points.iter().find(|point| point.ctas == choice.best).expect("a profiled number");
        assert!(choice.points.iter().all(|point| point.expected_ipc <= best.expected_ipc), "{choice:?}");
    }
    let chosen: Vec<(&str, u32)> = choices.iter().map(|c| (c.entry.as_str(), c.best)).collect();
    assert!(chosen.iter().any(|(_, ctas)| *ctas != chosen[0].1), "one number is best for all: {chosen:?}");

    let kept = Session::new(with_choices(spec(), &choices)).and_then(|mut session| session.run(&mut ()));
    let kept = kept.expect("it runs");
    let resident: Vec<(&str, u32)> = kept.parts.iter().map(|p| (p.entry.as_str(), p.resident_ctas)).collect();
    assert_eq!(resident, chosen);
    for (entry, ctas) in &chosen {
        assert_eq!(kept.parameters[&format!("sm.ctas.{entry}")], *ctas);
    }
}

/// The RTL with a profiled mapping, and several SMs, keep the same numbers.
#[test]
fn chosen_ctas_hold_behind_the_rtl_and_on_several_sms() {
    let few: BTreeMap<String, u32> =
        [("histo_prescan", 2), ("histo_main", 1), ("histo_final", 2)].map(|(e, n)| (e.to_owned(), n)).into();
    for (engine, sms) in [(Engine::Cosim, 1), (Engine::Sim, 2)] {
        let folder = tempfile::tempdir().expect("temporary folder");
        let mut spec =
            RunSpec { design: "racetrack".to_owned(), engine, sms, entry_ctas: few.clone(), ..spec() };
        spec.results = folder.path().to_owned();
        let report = Session::new(spec).and_then(|mut session| session.run(&mut ())).expect("it runs");
        for part in &report.parts {
            let most = few.get(&part.entry).copied().unwrap_or(u32::MAX);
            assert!(part.resident_ctas <= most, "{engine:?} {}: {}", part.entry, part.resident_ctas);
        }
        let exact = report.parts.iter().filter(|part| few.get(&part.entry) == Some(&part.resident_ctas));
        assert_eq!(exact.count(), few.len(), "{engine:?}");
    }
}

#[test]
fn a_trace_has_no_profile() {
    let trace = RunSpec { kernel: Kernel::Trace("kernelslist.g".into()), ..spec() };
    let refused = choose_tlp(&trace, &mut ()).expect_err("no kernel runs");
    assert!(refused.to_string().contains("kernelslist.g is a trace"), "{refused}");
}
