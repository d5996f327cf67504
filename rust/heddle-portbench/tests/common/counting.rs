//! Sums of the events that RTL and cycle model of a design make of a few inputs.

use std::collections::BTreeMap;
use std::path::Path;

use heddle_port::bits::get_bits;
use heddle_port::{Command, EventLayout, Issue, PortConfig, RegIn, RegOut, RegisterFile, ResultWrite};
use heddle_rtl::{Event, Manifest, build};

/// An idle cycle.
pub fn ready() -> RegIn {
    RegIn { operands_ready: [true; 4], ..RegIn::default() }
}

/// A cycle with a command.
pub fn command(command: Command) -> RegIn {
    RegIn { command: Command { valid: true, ..command }, ..ready() }
}

/// An instruction of warp slot `warp` that reads these registers.
pub fn reads(warp: u8, sources: &[u8]) -> Issue {
    let mut issue = Issue { valid: true, tag: u16::from(warp) + 1, warp, ..Issue::default() };
    issue.source[..sources.len()].copy_from_slice(sources);
    issue.source_valid = (1 << sources.len()) - 1;
    issue
}

/// The last result of an instruction.
pub fn result(warp: u8, register: u8, mask: u32) -> ResultWrite {
    ResultWrite { valid: true, warp, register, mask, last: true, ..ResultWrite::default() }
}

/// A cycle with issues.
pub fn issues(issues: &[Issue]) -> RegIn {
    let mut input = ready();
    input.issue[..issues.len()].copy_from_slice(issues);
    input
}

/// Sums of the counted events of a run and of the numbers that count at its end, those above 0.
fn count(
    manifest: &Manifest,
    layout: &EventLayout,
    design: &mut dyn RegisterFile,
    port: &PortConfig,
    inputs: &[RegIn],
    cycles: usize,
) -> BTreeMap<String, u32> {
    let bits = |event: &Event| {
        let field = layout.field(&event.name).expect("every event has a place");
        usize::from(field.lsb)..field.end()
    };
    let mut sums = BTreeMap::new();
    let mut out: RegOut = design.reset(port).expect("a good configuration");
    let idle = ready();
    for cycle in 0..cycles {
        design.step(inputs.get(cycle).unwrap_or(&idle), &mut out).expect("the contract is kept");
        for event in manifest.events.iter().filter(|event| event.counted) {
            let set = bits(event).filter(|&bit| get_bits(&out.events, bit, 1) != 0).count() as u32;
            if set > 0 {
                *sums.entry(event.name.clone()).or_default() += set;
            }
        }
    }
    for event in &manifest.events {
        let Some(width) = event.at_end.map(usize::from) else { continue };
        let sum: u32 = bits(event).step_by(width).map(|lsb| get_bits(&out.events, lsb, width)).sum();
        if sum > 0 {
            sums.insert(format!("{}_at_end", event.name), sum);
        }
    }
    sums
}

/// Both machines of a design count what is expected, and nothing else.
pub fn counts(design: &str, port: PortConfig, inputs: &[RegIn], cycles: usize, expected: &[(&str, u32)]) {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let manifest = Manifest::load(root, design).expect("the manifest");
    let elaboration = manifest.elaboration(None).expect("the default");
    let library = build(root, &manifest, elaboration, &mut |s| println!("{s}")).expect("a model");
    let mut rtl = library.instance(1).expect("an instance");
    let mut model = heddle_designs::create(design, rtl.made_with()).expect("the model");
    let expected: BTreeMap<String, u32> = expected.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect();
    let layout = rtl.made_with().events.clone();
    assert_eq!(count(&manifest, &layout, model.as_mut(), &port, inputs, cycles), expected, "the model");
    assert_eq!(count(&manifest, &layout, &mut rtl, &port, inputs, cycles), expected, "the RTL");
}
