//! `heddle record` and `heddle replay`.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use heddle_cosim::{Control as _, Ctas, Engine, RunSpec, Session};
use heddle_files::Streamed;
use heddle_rtl::{Manifest, ReplayError};
use heddle_stimulus::{Header, Reader};
use verilated_runtime::{Instance, Library, Options};

use crate::args::{RecordArgs, ReplayArgs, Simulator};
use crate::progress::Terminal;
use crate::root::root;
use crate::run::named;
use crate::settings::warn_of_unread;
use crate::{Failure, Outcome, print};

/// Exit code of a model under test that does not what it should.
const MISMATCH: u8 = 3;
/// Exit code after Ctrl-C.
const INTERRUPTED: u8 = 130;

/// Runs a kernel in co-simulation and writes what went through the port.
pub fn record(args: &RecordArgs, interrupted: &Arc<AtomicBool>) -> Outcome {
    let root = root()?;
    let mut kernels = named("--kernel", &args.kernel, &args.size)?;
    let (Some(kernel), true) = (kernels.pop(), kernels.is_empty()) else {
        return Err(Failure::usage(format!("--kernel takes one kernel, not '{}'", args.kernel)));
    };
    warn_of_unread(&root, &args.design, args.preset.as_deref(), &args.overrides);
    let mut terminal = Terminal::new(args.quiet, Arc::clone(interrupted));
    let ctas = Ctas::usual(&kernel);
    let mut spec = RunSpec::new(root, args.design.as_str(), kernel, Engine::Cosim);
    spec.preset.clone_from(&args.preset);
    spec.overrides.clone_from(&args.overrides);
    spec.seed = args.seed;
    spec.ctas = ctas;
    let name = format!("{} {}", args.design, spec.kernel_name());
    let mut session = Session::new(spec)?;
    let unwritable =
        |e: std::io::Error| Failure::failed(format!("cannot write {}: {e}", args.output.display()));
    // Begun before the run: a file that cannot be written is told at once.
    let mut output = Streamed::new(&args.output).map_err(unwritable)?;
    terminal.next(name);
    let recorded = session.run_recorded(&mut terminal);
    terminal.clear();
    let (report, bytes) = recorded?;
    output.write_all(&bytes).and_then(|()| output.publish()).map_err(unwritable)?;
    print(&format!(
        "{} {}: {} launches, {} cycles in {}, {} bytes\n",
        report.design,
        report.kernel,
        report.launches,
        report.cycles,
        args.output.display(),
        bytes.len()
    ))
}

/// Replays a recording and compares every output.
pub fn replay(args: &ReplayArgs, interrupted: &Arc<AtomicBool>) -> Outcome {
    let mut recording = Reader::open(&args.file).map_err(Failure::usage)?;
    let header = recording.header().clone();
    let name = format!("{} {}", header.design, header.kernel);
    let mut terminal = Terminal::new(args.quiet, Arc::clone(interrupted));
    terminal.next(name.as_str());
    let (mut model, rtl) = match &args.model {
        Some(path) => Library::open(path)
            .and_then(|library| library.instance(&Options { seed: args.seed, ..Options::default() }))
            .map(|model| (model, String::new()))
            .map_err(Failure::failed)?,
        None => built(args, &header, &mut terminal)?,
    };
    let replayed = heddle_rtl::replay(&mut recording, &mut model, &mut || !terminal.interrupted());
    terminal.clear();
    let replayed = replayed.map_err(|error| {
        let (code, rtl) = match &error {
            ReplayError::Stimulus(_) => (2, ""),
            ReplayError::Shape { .. } => (2, &*rtl),
            ReplayError::Differs(_) | ReplayError::Run(_) => (MISMATCH, &*rtl),
            ReplayError::Interrupted { .. } => (INTERRUPTED, ""),
            _ => (1, ""),
        };
        Failure { message: format!("{name}: {error}{rtl}"), code }
    })?;
    print(&format!(
        "{name}: {} launches, {} clock edges; {} control bits and {} data bits compared, all equal{rtl}\n",
        replayed.launches, replayed.edges, replayed.control_bits, replayed.data_bits
    ))
}

/// The design of a recording as the chosen simulator builds it, from the RTL that is there now, and what there is to
/// say of that: nothing where it is the RTL that was recorded.
fn built(args: &ReplayArgs, header: &Header, terminal: &mut Terminal) -> Result<(Instance, String), Failure> {
    let root = root()?;
    let manifest = Manifest::load(&root, &header.design).map_err(Failure::usage)?;
    let elaboration = heddle_rtl::recorded_elaboration(header, &manifest)
        .map_err(|e| Failure::usage(format!("{}: {e}", args.file.display())))?;
    let build = match args.simulator {
        Simulator::Verilator => heddle_rtl::build,
        Simulator::Netlist => heddle_rtl::netlist::build,
    };
    let library = build(&root, &manifest, &elaboration, &mut |stage| terminal.stage(stage));
    let library = library.map_err(|error| broken_off(Failure::failed(error), terminal))?;
    let (recorded, now) = (&header.sources, &library.origin().sources);
    let rtl = if recorded == now {
        String::new()
    } else {
        format!("\nthe RTL is not the recorded one: its sources had the hash {recorded}, they have {now}")
    };
    Ok((library.model(args.seed).map_err(Failure::failed)?, rtl))
}

/// A failure to build that Ctrl-C has brought about is none of the design.
fn broken_off(failure: Failure, terminal: &Terminal) -> Failure {
    if terminal.interrupted() {
        return Failure { message: "interrupted".to_owned(), code: INTERRUPTED };
    }
    failure
}
