use super::*;
use crate::tolerance::Tolerance;

const HOST: Host = Host { workload: "test" };

fn script() -> (Script, Id, Id) {
    let mut s = Script::new(HOST);
    let a = s.input("a", &[1.0_f32, 2.0]);
    let b = s.output::<u32>("b", 2);
    s.launch("first", [3, 1, 1], [32, 1, 1]).shared(64).pointer(a).u32(7).pointer_at(b, 4).f32(1.0);
    s.rewrite(b, &[8_u32, 9]);
    s.launch("second", [1, 1, 1], [64, 1, 1]).f64(2.0).u64(9);
    s.judge(move |r| {
        r.exact(b, &[5_u32, 6])?;
        r.within(a, &[1.0_f32, 2.0], &Tolerance::relative(1e-3, "a test"))
    });
    (s, a, b)
}

#[test]
fn launches_come_in_order_with_addresses() -> Result<(), WorkloadError> {
    let (mut s, a, b) = script();
    let mut memory = DeviceMemory::new();
    assert!(matches!(s.next_launch(&mut memory), Err(WorkloadError::NotSetUp { .. })));
    s.set_up(&mut memory)?;
    let first = s.next_launch(&mut memory)?.expect("the first launch");
    assert_eq!((first.entry.as_str(), first.launch.dynamic_shared_bytes), ("first", 64));
    let word = |at: usize| {
        u32::from_le_bytes([0, 1, 2, 3].map(|i| first.launch.params.get(at + i).copied().unwrap_or(0)))
    };
    assert_eq!(word(0), s.buffers[a.0].address);
    assert_eq!(word(8), 7);
    assert_eq!(word(16), s.buffers[b.0].address + 4);
    assert_eq!(word(24), 1.0_f32.to_bits());
    assert!(memory.load_checked(u64::from(s.buffers[b.0].address), 4).is_ok_and(|(_, written)| !written));
    assert_eq!(s.next_launch(&mut memory)?.map(|l| l.launch.params.len()), Some(16));
    assert_eq!(HOST.read::<u32>(&memory, s.buffers[b.0])?, [8, 9]);
    assert_eq!(s.next_launch(&mut memory)?, None);
    Ok(())
}

#[test]
fn symbols_are_found_and_constants_hold_for_later_launches() -> Result<(), WorkloadError> {
    let mut s = Script::new(HOST);
    let counter = s.symbol_with("counter", &[3_u32]);
    s.launch("first", [1, 1, 1], [32, 1, 1]).pointer(counter);
    s.constant("table", &[1_u8, 2]).launch("second", [1, 1, 1], [32, 1, 1]);
    let mut memory = DeviceMemory::new();
    assert!(matches!(s.set_up(&mut memory), Err(WorkloadError::NoVariable { .. })));
    memory.allocate_at("counter", 0x0800_0000, 4).expect("room");
    s.set_up(&mut memory)?;
    assert_eq!(memory.load(0x0800_0000, 4), Ok(3));
    let first = s.next_launch(&mut memory)?.expect("the first launch").launch;
    assert_eq!((first.constants, first.params[3]), (vec![], 8));
    let second = s.next_launch(&mut memory)?.expect("the second launch").launch;
    let write = SymbolWrite { name: "table".into(), offset: 0, bytes: vec![1, 2] };
    assert_eq!(second.constants, [write]);
    Ok(())
}

#[test]
fn the_check_compares_and_counts() -> Result<(), WorkloadError> {
    let (mut s, _, b) = script();
    let mut memory = DeviceMemory::new();
    s.set_up(&mut memory)?;
    HOST.write(&mut memory, s.buffers[b.0], &[5_u32, 6])?;
    let checked = s.check(&memory).expect("equal");
    assert_eq!((checked.words, checked.exact), (4, false));
    HOST.write(&mut memory, s.buffers[b.0], &[5_u32, 7])?;
    assert!(matches!(s.check(&memory), Err(CheckFailure::Differs { index: 1, .. })));
    Ok(())
}
