//! The RTL of this tree against that of another one: `rtl_against FOLDER [DESIGN[:ELABORATION]|all [CYCLES
//! [SEED]]]`.
//!
//! FOLDER has `rtl/`, `testbench/` and `constraints/` of the other tree. Without an elaboration every one of
//! the design runs for CYCLES (a million when left out), and the first one once more with the other width of
//! port that presets have.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use heddle_port::RegisterFile;
use heddle_portbench::against::{OtherDesign, Pair, Word, corners};
use heddle_rtl::Manifest;

/// Issue and result slots of the presets.
const WIDTHS: [i64; 2] = [2, 4];
/// Corners in which everything is drawn, beside those at the ends of one range.
const DRAWN: usize = 24;

fn compare(
    root: &Path,
    other: &OtherDesign,
    name: &str,
    parameters: &BTreeMap<String, i64>,
    (seed, cycles): (u64, u64),
) -> Result<(), Box<dyn Error>> {
    let here = Manifest::load(root, &other.manifest.name)?;
    let pair = Pair::build(root, &here, other, parameters, &mut |stage| eprintln!("{stage}"))?;
    let active = here.override_number("scheduler.active_warps").and_then(|warps| u8::try_from(warps).ok());
    // What the design cannot be is for its model to say; RTL need not notice.
    let mut model = heddle_designs::create(&other.manifest.name, pair.made_with())?;
    let corners = corners(parameters, (active, &Word::all(&here)), (seed, DRAWN), &mut |port| {
        model.reset(port).is_ok()
    });
    let found = pair.compare(&corners, seed, cycles)?;
    println!(
        "{} {name}: equal in {} cycles of {} corners ({} that both refuse); compared {} outputs, {} operand \
         values, {} loaded values; not compared: {}",
        other.manifest.name,
        found.cycles,
        found.corners,
        found.refused,
        found.outputs,
        found.values,
        found.loaded,
        if pair.new_events.is_empty() { "none".to_owned() } else { pair.new_events.join(", ") },
    );
    Ok(())
}

fn design(root: &Path, folder: &Path, what: &str, seed_and_cycles: (u64, u64)) -> Result<(), Box<dyn Error>> {
    let (name, elaboration) = what.split_once(':').map_or((what, None), |(name, e)| (name, Some(e)));
    let other = OtherDesign::read(folder, name)?;
    if let Some(elaboration) = elaboration {
        let parameters = other.parameters(Some(elaboration))?;
        return compare(root, &other, elaboration, parameters, seed_and_cycles);
    }
    for (elaboration, parameters) in &other.elaborations {
        compare(root, &other, elaboration, parameters, seed_and_cycles)?;
    }
    let mut parameters = other.parameters(None)?.clone();
    let own = parameters.get("IssueWidth").copied().unwrap_or(WIDTHS[0]);
    let width = WIDTHS.into_iter().find(|width| *width != own).unwrap_or(own);
    parameters.extend(["IssueWidth", "ResultWidth"].map(|name| (name.to_owned(), width)));
    compare(root, &other, &format!("{width} wide"), &parameters, seed_and_cycles)
}

fn run() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = arguments.first().ok_or("which folder has the other tree?")?;
    let number = |at: usize, default: u64| arguments.get(at).map_or(Ok(default), |a| a.parse());
    let (cycles, seed) = (number(2, 1_000_000)?, number(3, 1)?);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let folder = Path::new(folder).canonicalize()?;
    match arguments.get(1).map(String::as_str) {
        None | Some("all") => {
            for name in Manifest::names(&root)?.iter().filter(|n| folder.join("rtl").join(n).is_dir()) {
                design(&root, &folder, name, (seed, cycles))?;
            }
            Ok(())
        }
        Some(what) => design(&root, &folder, what, (seed, cycles)),
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
