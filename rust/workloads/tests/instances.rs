//! What instances of workloads promise whoever runs them.

#[path = "kernels/memory.rs"]
mod memory;

use std::collections::BTreeSet;

use heddle_workloads::published::{WHOLE, row};
use heddle_workloads::{Size, Workload, WorkloadError, all, find};

use crate::memory::loaded;

type TestResult<T = ()> = Result<T, Box<dyn std::error::Error>>;

#[test]
fn equal_arguments_give_equal_memory_and_launches() -> TestResult {
    for workload in all() {
        let begin = |seed| -> TestResult<_> {
            let mut memory = loaded(*workload)?;
            let mut instance = workload.instance(Size::Smoke, seed)?;
            instance.set_up(&mut memory)?;
            let launch = instance.next_launch(&mut memory)?;
            Ok((memory, launch))
        };
        let (one, again, other) = (begin(1)?, begin(1)?, begin(2)?);
        assert_eq!(one, again, "{}", workload.name());
        assert!(one != other, "{}: the seed changes nothing", workload.name());
    }
    Ok(())
}

#[test]
fn every_size_is_said_fits_the_machine_and_takes_no_less_memory_than_the_one_before() -> TestResult {
    for workload in all() {
        let (mut before, mut texts) = (0, BTreeSet::new());
        for &size in workload.sizes() {
            let mut memory = loaded(*workload)?;
            let mut instance = workload.instance(size, 1)?;
            instance.set_up(&mut memory)?;
            let bytes: usize = memory.regions().iter().map(|r| r.data.len()).sum();
            assert!(bytes >= before, "{}, {size} is smaller", workload.name());
            before = bytes;
            let launch = instance.next_launch(&mut memory)?.map(|l| l.launch);
            let launch = launch.unwrap_or_else(|| panic!("{} has no launch", workload.name()));
            assert!((1..=1024).contains(&launch.threads_per_cta()), "{}", workload.name());
            assert!(launch.num_ctas() >= 1 && launch.dynamic_shared_bytes <= 48 << 10);
            assert!(texts.insert(workload.size_text(size)), "{}: two sizes alike", workload.name());
        }
    }
    Ok(())
}

#[test]
fn nothing_works_before_set_up() -> TestResult {
    for workload in all() {
        let mut memory = loaded(*workload)?;
        let mut instance = workload.instance(Size::Smoke, 1)?;
        let early = instance.next_launch(&mut memory);
        assert!(matches!(early, Err(WorkloadError::NotSetUp { .. })), "{}", workload.name());
        assert!(instance.check(&memory).is_err());
    }
    Ok(())
}

#[test]
fn a_run_that_did_nothing_fails_the_check() -> TestResult {
    for workload in all() {
        let mut memory = loaded(*workload)?;
        let mut instance = workload.instance(Size::Smoke, 1)?;
        instance.set_up(&mut memory)?;
        assert!(instance.check(&memory).is_err(), "{}", workload.name());
    }
    Ok(())
}

#[test]
fn names_are_unique_and_found() {
    let names: BTreeSet<_> = all().iter().map(|w| w.name()).collect();
    assert_eq!(names.len(), all().len());
    for workload in all() {
        let name = workload.name();
        assert!(find(name).is_ok());
        let (file, text) = workload.ptx();
        let application = workload.application();
        assert_eq!(file, format!("{application}.ptx"));
        assert!(!text.contains(".file") && !text.contains("/*"), "{file} names no paths");
    }
    let unknown = find("hotspt").err().map(|e| e.to_string());
    assert_eq!(unknown.as_deref(), Some("unknown kernel 'hotspt'; did you mean 'hotspot'?"));
    let far = find("zzz").err().map(|e| e.to_string()).unwrap_or_default();
    assert!(far.contains("expected one of: b"), "{far}");
}

#[test]
fn published_rows_exist_and_speak_of_the_application_and_its_entries() {
    for workload in all() {
        let (name, (_, text)) = (workload.name(), workload.ptx());
        let mut seen = BTreeSet::new();
        for published in workload.published() {
            let row = row(published.row);
            let row = row.unwrap_or_else(|| panic!("{name}: no row {} in published.csv", published.row));
            assert_eq!(row.application, workload.application(), "{name}: {}", row.key);
            let entry = published.entry;
            assert!(entry == WHOLE || text.contains(&format!(".visible .entry {entry}(")), "{name}: {entry}");
            assert!(seen.insert((entry, published.row)), "{name}: {entry} twice");
            let pinned = workload.pinned_registers(entry);
            assert!(pinned.is_none_or(|n| Some(n) == row.regs), "{name}: {entry} is pinned to {pinned:?}");
            for (quantity, reason) in published.deviations {
                assert!(reason.split_whitespace().count() >= 4, "{name}: {quantity}: a reason is a sentence");
            }
        }
        if name != workload.application() {
            let found = find(workload.application()).map(Workload::suite);
            assert!(matches!(found, Ok(suite) if suite == workload.suite()), "{name} varies nothing");
        }
        let heddle = workload.suite() == "heddle";
        assert_eq!(workload.papers().is_empty(), heddle, "{name}: not an application of the papers");
    }
}

#[test]
fn sizes_are_read_by_name() {
    for size in Size::ALL {
        assert!(matches!(size.name().parse::<Size>(), Ok(s) if s == size));
    }
    let error = "huge".parse::<Size>().err().map(|e| e.to_string());
    assert_eq!(error.as_deref(), Some("unknown size 'huge': expected smoke, small or paper"));
}
