//! Builds what most tests ask for: every design, as shipped and with its planted bugs.
//!
//! `scripts/test.sh` runs it beside the tests, so that a processor which they leave idle builds what comes next. A
//! design that does not build is named; the tests that need it then say why.

use std::path::Path;
use std::process::ExitCode;

use heddle_rtl::{Manifest, RtlError, planted};

fn shipped(root: &Path, name: &str) -> Result<(), RtlError> {
    let manifest = Manifest::load(root, name)?;
    heddle_rtl::build(root, &manifest, manifest.elaboration(None)?, &mut |_| {}).map(drop)
}

fn with_bugs(root: &Path, name: &str) -> Result<(), RtlError> {
    let manifest = Manifest::load(root, name)?;
    if !planted::list_path(root, &manifest).is_file() {
        return Ok(());
    }
    planted::build(root, &manifest, manifest.elaboration(None)?, &mut |_| {}).map(drop)
}

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let names = match Manifest::names(&root) {
        Ok(names) => names,
        Err(error) => {
            eprintln!("build_models: {error}");
            return ExitCode::FAILURE;
        }
    };
    let mut failed = false;
    for (kind, build) in [("", shipped as fn(&Path, &str) -> _), (" with planted bugs", with_bugs)] {
        for name in &names {
            if let Err(error) = build(&root, name) {
                eprintln!("build_models: {name}{kind}: {error}");
                failed = true;
            }
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
