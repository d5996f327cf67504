//! The racetrack banks alone, without collectors and mapping tables: request arbitrator, positions, request
//! queues and write buffers, RTL and cycle model in lock-step under random inputs. Every output is compared
//! in every cycle, and every value with the newest result of its place. The RTL is built without its
//! assertions here, so what is found is found by an output or by a value.

mod rtl;
mod traffic;
mod values;

use heddle_designs::front::SourceRef;
use heddle_designs::racetrack::NUM_BANKS;
use heddle_designs::racetrack::bank::BankTiming;
use heddle_designs::racetrack::banks::{Arrivals, Banks};
use heddle_designs::racetrack::mapping::Place;
use heddle_designs::racetrack::queues::{Read, Write};

use heddle_rtl::PlantedBlock;
use verilated_runtime::Library;

use rtl::{DELIVER, GRANT, Inputs, NAMES, Outputs, Rtl, planted, shipped};
use traffic::Traffic;
use values::Values;

const TIMINGS: [BankTiming; 9] = [
    BankTiming { read: 1, write: 1, shift: 1, preshift: true, release: false },
    BankTiming { read: 1, write: 1, shift: 1, preshift: false, release: false },
    BankTiming { read: 1, write: 4, shift: 2, preshift: true, release: false },
    BankTiming { read: 3, write: 1, shift: 2, preshift: true, release: false },
    BankTiming { read: 2, write: 5, shift: 3, preshift: false, release: false },
    BankTiming { read: 4, write: 2, shift: 1, preshift: false, release: false },
    BankTiming { read: 1, write: 1, shift: 1, preshift: false, release: true },
    BankTiming { read: 2, write: 3, shift: 2, preshift: false, release: true },
    BankTiming { read: 1, write: 4, shift: 2, preshift: true, release: true },
];

/// What a run compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compare {
    OutputsAndValues,
    ValuesAlone,
}

fn place(entry: u8) -> Place {
    Place { port: entry >> 4, offset: entry & 0xf }
}

/// One cycle of the model, with the same outputs as the RTL; `busy` is that of the cycle before, as the RTL's
/// is.
fn model_cycle(banks: &mut Banks, busy: &mut u32, inputs: &Inputs, timing: &BankTiming) -> Outputs {
    let mut outputs = Outputs::default();
    for (b, target) in banks.delivered() {
        outputs.sets[DELIVER] |= 1 << b;
        outputs.targets[b] = [target.collector.into(), target.source.into()];
    }
    outputs.positions = u64::try_from(banks.positions()).expect("16 banks of 4 bits");
    let mut arrivals = Arrivals { staged: inputs.staged, ..Arrivals::default() };
    let ready = banks.write_ready();
    for (b, input) in inputs.banks.iter().enumerate() {
        if let Some(collector) = banks.grant_read(b, input.requests) {
            let target = SourceRef { collector: collector as u8, source: input.source };
            arrivals.reads[b] = Some(Read { place: place(input.read_place), target });
            outputs.granted[b] = collector;
        }
        if inputs.staged & ready & 1 << b != 0 {
            arrivals.writes[b] = Some(Write { place: place(input.write_place), mask: input.mask });
        }
    }
    let cycle = banks.step(&arrivals, timing);
    let delivered = outputs.sets[DELIVER];
    outputs.sets = [
        cycle.read_queued,
        cycle.buffer_writes,
        delivered,
        cycle.reads,
        cycle.writes,
        cycle.shifts,
        cycle.preshifts,
        cycle.buffer_reads,
        cycle.read_waits,
        std::mem::replace(busy, cycle.busy),
    ];
    outputs
}

/// The first output that differs.
fn difference(rtl: &Outputs, model: &Outputs) -> Option<String> {
    for (name, (r, m)) in NAMES.iter().zip(rtl.sets.iter().zip(model.sets)) {
        if *r != m {
            return Some(format!("output {name}: RTL {r:#06x}, model {m:#06x}"));
        }
    }
    if rtl.positions != model.positions {
        return Some(format!(
            "output positions: RTL {:#018x}, model {:#018x}",
            rtl.positions, model.positions
        ));
    }
    for b in 0..NUM_BANKS {
        let (r, m) = ((rtl.granted[b], rtl.targets[b]), (model.granted[b], model.targets[b]));
        if r != m {
            return Some(format!("grant_collector and deliver_target of bank {b}: RTL {r:?}, model {m:?}"));
        }
    }
    None
}

/// What happened in a run: members of the sets of banks, and lanes of values compared.
#[derive(Debug, Default)]
struct Summary {
    members: [u64; NAMES.len()],
    lanes: u64,
}

/// Runs the block and the model from a reset on.
fn run(
    rtl: &mut Rtl,
    timing: &BankTiming,
    seed: u64,
    cycles: u64,
    compare: Compare,
) -> Result<Summary, String> {
    let [read, write, shift] = [timing.read, timing.write, timing.shift].map(u32::from);
    let config =
        read | write << 8 | shift << 16 | u32::from(timing.preshift) << 24 | u32::from(timing.release) << 25;
    let mut inputs = Inputs { config, ..Inputs::default() };
    let (mut traffic, mut values, mut banks, mut busy) =
        (Traffic::new(seed), Values::new(), Banks::default(), 0);
    let mut summary = Summary::default();
    rtl.reset(config);
    for cycle in 0..cycles {
        traffic.draw(&mut inputs);
        let (outputs, data) = rtl.cycle(&inputs);
        let at = |what| format!("{timing:?}, seed {seed}, cycle {cycle}: {what}");
        if compare == Compare::OutputsAndValues {
            let model = model_cycle(&mut banks, &mut busy, &inputs, timing);
            if let Some(what) = difference(&outputs, &model) {
                return Err(at(what));
            }
        }
        values.check(&inputs, &outputs, &data).map_err(at)?;
        for (sum, set) in summary.members.iter_mut().zip(outputs.sets) {
            *sum += u64::from(set.count_ones());
        }
    }
    summary.lanes = values.compared;
    Ok(summary)
}

/// `cycles` in all, spread over the timings, in which nothing may differ and everything must happen.
fn agree(block: &Library, cycles: u64) {
    let each = cycles.div_ceil(TIMINGS.len() as u64);
    for (seed, timing) in (1..).zip(&TIMINGS) {
        let mut rtl = Rtl::new(block, seed);
        let summary = run(&mut rtl, timing, seed, each, Compare::OutputsAndValues)
            .unwrap_or_else(|what| panic!("{what}"));
        println!("{timing:?}, {each} cycles: {summary:?}");
        for (name, &count) in NAMES.iter().zip(&summary.members) {
            let expected = if *name == "preshifts" && !timing.preshift { 0 } else { each / 200 };
            assert!(count >= expected && (expected > 0 || count == 0), "{name}: {count} in {each} cycles");
        }
        assert!(summary.lanes > each, "{} lanes compared", summary.lanes);
        assert!(summary.members[GRANT] >= summary.members[DELIVER], "{summary:?}");
    }
}

#[test]
fn rtl_and_model_agree_in_every_output() {
    agree(&shipped(false), 48_000);
}

#[test]
#[ignore = "a million cycles"]
fn a_million_cycles_agree() {
    agree(&shipped(false), 1_000_000);
}

#[test]
#[ignore = "verilates the moving body"]
fn rtl_with_moving_domains_agrees_too() {
    agree(&shipped(true), 100_000);
}

/// Where an instance with a planted bug, or without one, is found wrong first, over all timings.
fn find(block: &PlantedBlock, id: Option<&str>, compare: Compare) -> Option<String> {
    let tries = (1..).zip(&TIMINGS);
    tries.into_iter().find_map(|(seed, timing)| {
        run(&mut Rtl::planted(block, seed, id), timing, seed, 20_000, compare).err()
    })
}

/// All bugs of the list that lie in these modules, without the help of an assertion.
#[test]
fn every_planted_bug_of_the_banks_is_found() {
    let block = planted(false);
    assert_eq!(find(&block, None, Compare::OutputsAndValues), None, "without a bug");
    assert!(block.bugs().len() >= 20, "{} bugs", block.bugs().len());
    for bug in block.bugs() {
        let found = find(&block, Some(&bug.id), Compare::OutputsAndValues);
        println!("{}: {}", bug.id, found.unwrap_or_else(|| panic!("{} is not found", bug.id)));
    }
    // A position that is wrong, and data that are: by the value alone.
    for id in ["position-not-updated-on-preshift", "wrong-shift-direction", "forward-oldest", "wrong-port"] {
        let found =
            find(&block, Some(id), Compare::ValuesAlone).unwrap_or_else(|| panic!("{id}: no wrong value"));
        println!("{id}, by its value: {found}");
        assert!(found.contains("value of bank"), "{id}: {found}");
    }
}

#[test]
#[ignore = "verilates the moving body with its planted bug"]
fn every_planted_bug_of_the_moving_body_is_found() {
    let block = planted(true);
    assert_eq!(find(&block, None, Compare::OutputsAndValues), None, "without a bug");
    assert!(!block.bugs().is_empty());
    for bug in block.bugs() {
        let found = find(&block, Some(&bug.id), Compare::ValuesAlone)
            .unwrap_or_else(|| panic!("{}: not found", bug.id));
        println!("{}: {found}", bug.id);
        assert!(found.contains("value of bank"), "{}: {found}", bug.id);
    }
}
