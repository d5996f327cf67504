//! `heddle record` and `heddle replay`.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use heddle_cosim::{Control as _, Ctas, Engine, RunSpec, Session};
use heddle_rtl::{Elaboration, Manifest, ReplayError};
use heddle_stimulus::{Header, Reader};
use verilated_runtime::{Instance, Library, Options};

use crate::progress::Terminal;
use crate::record_args::{RecordArgs, ReplayArgs};
use crate::root::root;
use crate::run::named;
use crate::settings::warn_of_unread;
use crate::{Failure, Outcome, print};

/// Exit code of a model under test that does not what it should.
const MISMATCH: u8 = 3;

/// Runs a kernel in co-simulation and writes what went through the port.
pub fn record(args: &RecordArgs, interrupted: &Arc<AtomicBool>) -> Outcome {
    let root = root()?;
    let mut kernels = named(&args.kernel, &args.size)?;
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
    terminal.next(format!("{} {}", args.design, spec.kernel_name()));
    let recorded = Session::new(spec).and_then(|mut session| session.run_recorded(&mut terminal));
    terminal.clear();
    let (report, bytes) = recorded?;
    heddle_files::publish(&args.output, &bytes)
        .map_err(|e| Failure::failed(format!("cannot write {}: {e}", args.output.display())))?;
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
    let mut model = match &args.model {
        Some(path) => Library::open(path)
            .and_then(|library| library.instance(&Options { seed: args.seed, ..Options::default() }))
            .map_err(Failure::failed)?,
        None => verilated(&header, args.seed, &mut terminal)?,
    };
    let replayed = heddle_rtl::replay(&mut recording, &mut model);
    terminal.clear();
    let replayed = replayed.map_err(|error| {
        let code = match &error {
            ReplayError::Stimulus(_) | ReplayError::Shape { .. } => 2,
            ReplayError::Differs(_) | ReplayError::Run(_) => MISMATCH,
            _ => 1,
        };
        Failure { message: format!("{name}: {error}"), code }
    })?;
    print(&format!(
        "{name}: {} launches, {} clock edges; {} control bits and {} data bits compared, all equal\n",
        replayed.launches, replayed.edges, replayed.control_bits, replayed.data_bits
    ))
}

/// The design of a recording as Verilator builds it, from the RTL that is there now.
fn verilated(header: &Header, seed: u64, terminal: &mut Terminal) -> Result<Instance, Failure> {
    let root = root()?;
    let manifest = Manifest::load(&root, &header.design).map_err(Failure::usage)?;
    let elaboration = Elaboration { name: header.elaboration.clone(), parameters: header.parameters.clone() };
    let library = heddle_rtl::build(&root, &manifest, &elaboration, &mut |stage| terminal.stage(stage));
    library.and_then(|library| library.model(seed)).map_err(Failure::failed)
}
