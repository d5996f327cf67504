//! Sweeps, the folders that they write, and what they find in them.

mod folders;
mod running;

use std::path::{Path, PathBuf};

use heddle_cosim::MadeBy;
use heddle_experiments::{Catalog, Experiment, Failed, Identity, Observer, Plan, Scale, Store, Tally};
use tempfile::TempDir;

/// The experiment `two`, of one run.
const ONE: &str = r#"id = "two"
title = ""
source = ""
scales.smoke = { size = "smoke" }
scales.claims = { size = "paper" }
scales.paper = { size = "paper" }
kernels = ["vectoradd"]
measure = "ipc"
[[series]]
name = "baseline"
design = "baseline"
"#;

/// Nobody follows the sweep.
struct Silent;

impl Observer for Silent {
    fn ended(&self, _tally: &Tally, _failure: Option<&Failed>) {}
}

/// A folder of results, and what experiments are planned with.
struct Bench {
    root: PathBuf,
    folder: TempDir,
    catalog: Catalog,
    identity: Identity,
}

impl Bench {
    fn new() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        Self {
            folder: tempfile::tempdir().expect("temporary folder"),
            catalog: Catalog::new(&root, ["ipc".to_owned()]).expect("designs"),
            identity: Identity::new(&root, MadeBy::default()).expect("readable files"),
            root,
        }
    }

    /// The plan of the experiment `id` in smoke, and where its results are.
    fn plan(&self, id: &str, text: &str) -> (Plan, Store) {
        let file = self.folder.path().join(format!("{id}.toml"));
        std::fs::write(&file, text).expect("writable");
        let experiment = Experiment::load(&file, &self.catalog, Scale::Smoke).expect("a good file");
        let plan = Plan::new(experiment, &self.root, &self.identity).expect("a plan");
        (plan, Store::new(self.folder.path(), id))
    }
}
