//! A repository with the fixture design in it, below Cargo's folder for test output.

use std::fs;
use std::path::{Path, PathBuf};

/// Lays the fixture out once more (what was built in it stays) and returns its root.
pub fn fixture(name: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let repository = here.join("../..");
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    copy(&here.join("tests/fixture"), &root);
    let common = root.join("rtl/common");
    fs::create_dir_all(&common).expect("a folder");
    let package = "rtl/common/heddle_port_pkg.sv";
    fs::copy(repository.join(package), root.join(package)).expect("the port package");
    let tools = root.join("build/tools");
    if !tools.exists() {
        fs::create_dir_all(root.join("build")).expect("a folder");
        let real =
            fs::canonicalize(repository.join("build/tools")).expect("scripts/tools.sh fetches the tools");
        std::os::unix::fs::symlink(real, &tools).expect("a link");
    }
    root
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("the fixture") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), &target).expect("a copy");
        }
    }
}
