//! What instances of workloads promise whoever runs them.

use std::collections::BTreeSet;

use heddle_isa::DeviceMemory;
use heddle_workloads::{Size, WorkloadError, all, find};

#[test]
fn equal_arguments_give_equal_memory_and_launches() -> Result<(), WorkloadError> {
    for workload in all() {
        let begin = |seed| -> Result<_, WorkloadError> {
            let mut memory = DeviceMemory::new();
            let mut instance = workload.instance(Size::Smoke, seed)?;
            instance.set_up(&mut memory)?;
            let launch = instance.next_launch(&mut memory)?;
            Ok((memory, launch))
        };
        let (one, again, other) = (begin(1)?, begin(1)?, begin(2)?);
        assert_eq!(one, again, "{}", workload.name());
        assert!(one.0 != other.0, "{}: the seed changes nothing", workload.name());
    }
    Ok(())
}

#[test]
fn every_size_says_how_much_memory_it_takes() -> Result<(), WorkloadError> {
    for workload in all() {
        let mut before = 0;
        for &size in workload.sizes() {
            let mut memory = DeviceMemory::new();
            let mut instance = workload.instance(size, 1)?;
            instance.set_up(&mut memory)?;
            let bytes: usize = memory.regions().iter().map(|r| r.data.len()).sum();
            let name = workload.name();
            assert_eq!(bytes as u64, instance.footprint_bytes(), "{name}, {size}");
            assert!(instance.footprint_bytes() > before, "{name}, {size} is not larger");
            before = instance.footprint_bytes();
            assert!(!workload.size_text(size).is_empty());
        }
    }
    Ok(())
}

#[test]
fn launches_fit_the_machine() -> Result<(), WorkloadError> {
    for workload in all() {
        for &size in workload.sizes() {
            let mut memory = DeviceMemory::new();
            let mut instance = workload.instance(size, 1)?;
            instance.set_up(&mut memory)?;
            let launch = instance.next_launch(&mut memory)?.map(|l| l.launch);
            let launch = launch.unwrap_or_else(|| panic!("{} has no launch", workload.name()));
            assert!((1..=1024).contains(&launch.threads_per_cta()), "{}", workload.name());
            assert!(launch.num_ctas() >= 1 && launch.dynamic_shared_bytes <= 48 << 10);
        }
    }
    Ok(())
}

#[test]
fn nothing_works_before_set_up() -> Result<(), WorkloadError> {
    for workload in all() {
        let mut memory = DeviceMemory::new();
        let mut instance = workload.instance(Size::Smoke, 1)?;
        let early = instance.next_launch(&mut memory);
        assert!(matches!(early, Err(WorkloadError::NotSetUp { .. })), "{}", workload.name());
        assert!(instance.check(&memory).is_err());
    }
    Ok(())
}

#[test]
fn a_run_that_did_nothing_fails_the_check() -> Result<(), WorkloadError> {
    for workload in all() {
        let mut memory = DeviceMemory::new();
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
        assert_eq!(file, format!("{name}.ptx"));
        assert!(text.contains(&format!(".visible .entry {name}")), "{file}");
        assert!(!text.contains(".file") && !text.contains("/*"), "{file} names no paths");
    }
    let unknown = find("hotspt").err().map(|e| e.to_string());
    assert_eq!(unknown.as_deref(), Some("unknown kernel 'hotspt'; did you mean 'hotspot'?"));
    let far = find("zzz").err().map(|e| e.to_string()).unwrap_or_default();
    assert!(far.contains("expected one of: vectoradd, matrixmul"), "{far}");
}

#[test]
fn sizes_are_read_by_name() {
    for size in Size::ALL {
        assert!(matches!(size.name().parse::<Size>(), Ok(s) if s == size));
    }
    let error = "huge".parse::<Size>().err().map(|e| e.to_string());
    assert_eq!(error.as_deref(), Some("unknown size 'huge': expected smoke, small or paper"));
}
