//! Hits, bytes and conflicts of the micro-traces against counts that follow from their addresses, on every preset.
//! Cycles hide errors that cancel; counts do not.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use heddle_cosim::{RunError, RunReport};
use heddle_fidelity::{
    FidelityError, Folder, MEANT_SHARE, Meant, REFERENCES_OF, SHARED_BASE, Setting, Trace, all, meant, run,
};

/// Bytes of a line of L1 and L2, and of a sector as DRAM counts them.
const LINE: u64 = 128;
const SECTOR: u64 = 32;
/// Bytes that all banks of shared memory deliver in a cycle, and those of one.
const ROW: u64 = 128;
const BANK: u64 = 4;

/// What a trace accesses, in program order, CTA by CTA and warp by warp.
#[derive(Default)]
struct Accesses {
    /// Of each load from global memory: its lines, with the bytes of each that it wants.
    loads: Vec<BTreeMap<u64, BTreeSet<u64>>>,
    /// Lines of stores to global memory, each store on its own.
    stored_lines: u64,
    shared: u64,
    /// Cycles beyond the first of each access to shared memory.
    conflicts: u64,
    warps: u32,
}

fn accesses(trace: &Trace) -> Accesses {
    let mut found = Accesses { warps: trace.grid * trace.warps(), ..Accesses::default() };
    for cta in 0..trace.grid {
        for line in (0..trace.warps()).flat_map(|warp| trace.lines(cta, warp)) {
            let Some(access) = &line.access else { continue };
            let (bytes, addresses) = (u64::from(access.bytes), &access.addresses);
            if line.opcode.starts_with("LDS") || line.opcode.starts_with("STS") {
                found.shared += 1;
                found.conflicts += passes(bytes, addresses) - 1;
                continue;
            }
            let mut lines: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
            for byte in addresses.iter().flat_map(|a| *a..a + bytes) {
                lines.entry(byte / LINE).or_default().insert(byte % LINE);
            }
            match &line.opcode[..2] {
                "LD" => found.loads.push(lines),
                _ => found.stored_lines += lines.len() as u64,
            }
        }
    }
    found
}

/// Cycles of an access to shared memory: as many as the bank with the most different words.
fn passes(bytes: u64, addresses: &[u64]) -> u64 {
    let words: BTreeSet<u64> = addresses
        .iter()
        .flat_map(|a| (a - SHARED_BASE) / BANK..(a - SHARED_BASE + bytes).div_ceil(BANK))
        .collect();
    let mut banks = [0; (ROW / BANK) as usize];
    words.iter().for_each(|word| banks[(word % (ROW / BANK)) as usize] += 1);
    banks.into_iter().max().unwrap_or(0)
}

/// A cache of `capacity` bytes that keeps the lines used last.
struct Cache {
    lines: usize,
    /// The line used last is the last one.
    recent: Vec<u64>,
}

impl Cache {
    fn new(capacity: u64) -> Self {
        Self { lines: (capacity / LINE) as usize, recent: Vec::new() }
    }

    /// Whether the line is there; afterwards it is.
    fn access(&mut self, line: u64) -> bool {
        let place = self.recent.iter().rposition(|&l| l == line);
        let hit = place.is_some();
        if let Some(place) = place {
            self.recent.remove(place);
        } else if self.recent.len() >= self.lines {
            self.recent.remove(0);
        }
        self.recent.push(line);
        hit
    }
}

fn parameter(report: &RunReport, key: &str) -> u64 {
    report.parameters[key].as_u64().unwrap_or_else(|| panic!("{key} is a number"))
}

/// Loads that hit in L1 and L2, those that reach L2, and bytes that DRAM reads.
struct Hits {
    l1: u64,
    reach_l2: u64,
    l2: u64,
    dram_bytes: u64,
}

/// Nothing where what hits depends on which warp comes first.
fn hits(accesses: &Accesses, report: &RunReport) -> Option<Hits> {
    let lines: BTreeSet<u64> = accesses.loads.iter().flat_map(|load| load.keys().copied()).collect();
    let touches: usize = accesses.loads.iter().map(BTreeMap::len).sum();
    let l1_bytes = report.memory_divisions.first().map_or(0, |d| u64::from(d.division.l1d_bytes));
    let l2_bytes = parameter(report, "l2.bytes") / parameter(report, "gpu.sms");
    let fits = lines.len() as u64 * LINE <= l1_bytes;
    if !fits && touches > lines.len() && accesses.warps > 1 {
        return None;
    }
    let (mut l1, mut l2) = (Cache::new(l1_bytes), Cache::new(l2_bytes));
    let mut hits = Hits { l1: 0, reach_l2: 0, l2: 0, dram_bytes: 0 };
    let l2_sector = parameter(report, "l2.sector_bytes");
    for (&line, bytes) in accesses.loads.iter().flatten() {
        if l1.access(line) {
            hits.l1 += 1;
            continue;
        }
        hits.reach_l2 += 1;
        if l2.access(line) {
            hits.l2 += 1;
            continue;
        }
        let sectors: BTreeSet<u64> = bytes.iter().map(|byte| byte / l2_sector).collect();
        hits.dram_bytes += sectors.len() as u64 * l2_sector;
    }
    Some(hits)
}

/// Asserts that what a run counted is what the addresses say; whether its hits could be told.
fn check(trace: &Trace, report: &RunReport) -> bool {
    let counted = |key: &str| report.statistics[key];
    let found = accesses(trace);
    let name = format!("{} on {}", trace.name, report.preset);
    assert_eq!(counted("memory.l1.shared_accesses"), found.shared, "{name}: accesses to shared memory");
    assert_eq!(
        counted("memory.l1.shared_conflict_cycles"),
        found.conflicts,
        "{name}: cycles of bank conflicts"
    );
    assert_eq!(counted("memory.l1.global.stores"), found.stored_lines, "{name}: lines stored");
    assert_eq!(counted("memory.l2.writes"), found.stored_lines, "{name}: writes of L2");
    let Some(hits) = hits(&found, report) else { return false };
    let l1 = ["read_hits", "read_merged"].map(|key| counted(&format!("memory.l1.global.{key}")));
    assert_eq!(l1.iter().sum::<u64>(), hits.l1, "{name}: hits of L1");
    assert_eq!(counted("memory.l1.global.read_misses"), hits.reach_l2, "{name}: misses of L1");
    let l2 = ["read_hits", "read_merged"].map(|key| counted(&format!("memory.l2.{key}")));
    assert_eq!(l2.iter().sum::<u64>(), hits.l2, "{name}: hits of L2");
    assert_eq!(
        counted("memory.dram.sectors_read") * SECTOR,
        hits.dram_bytes,
        "{name}: bytes that DRAM reads"
    );
    true
}

/// Asserts that a run lost its issue slots to what the trace is meant for. Schedulers that get no warp lose theirs to nothing else.
fn check_stalls(trace: &Trace, report: &RunReport, meant: &[Meant]) {
    let meant =
        meant.iter().find(|m| m.trace == trace.name).unwrap_or_else(|| panic!("{}: no row", trace.name));
    let lost = |reason: &str| report.statistics[&format!("stalls.{reason}")];
    let schedulers = parameter(report, "scheduler.schedulers");
    let idle = schedulers.saturating_sub(u64::from(trace.grid * trace.warps())) * report.cycles;
    let all = schedulers * report.cycles - report.warp_instructions - idle;
    let of = |reason: &String| {
        let slots = lost(reason);
        (if reason == "no_warp" { slots.saturating_sub(idle) } else { slots }) as f64 / all as f64
    };
    let share: f64 = meant.reasons.iter().map(of).sum();
    let (name, reasons) = (trace.name, &meant.reasons);
    assert!(share >= MEANT_SHARE, "{name}: {reasons:?} have {share:.3} of {all} lost slots");
    for reason in reasons.iter().filter(|_| reasons.len() > 1) {
        let others = share - of(reason);
        assert!(
            others < MEANT_SHARE,
            "{name}: without {reason} the others have {others:.3}, so it is not needed"
        );
    }
}

#[test]
fn every_trace_counts_what_its_addresses_say_and_loses_slots_to_what_is_meant() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = Folder::new(None).expect("temporary folder");
    let traces = all();
    let meant = meant().expect("good");
    assert_eq!(meant.len(), traces.len());
    for preset in ["fermi", "maxwell", "volta"] {
        let setting = Setting {
            root: root.clone(),
            design: "baseline".to_owned(),
            preset: preset.to_owned(),
            overrides: Vec::new(),
        };
        let (mut run_of, mut untold) = (0, Vec::new());
        for trace in &traces {
            match run(trace, &setting, folder.path(), &mut ()) {
                Ok(report) => {
                    run_of += 1;
                    if preset == REFERENCES_OF {
                        check_stalls(trace, &report, &meant);
                    }
                    if !check(trace, &report) {
                        untold.push(trace.name);
                    }
                }
                // Not every SM has so much shared memory.
                Err(FidelityError::Run { error: RunError::Launch { .. }, .. }) if preset != "volta" => {}
                Err(error) => panic!("{error}"),
            }
        }
        assert!(run_of + 2 >= traces.len() && untold == ["program_sgemm"], "{preset}: {run_of}, {untold:?}");
    }
}
