//! Recordings of three designs, replayed into what yosys makes of their RTL.

use std::path::{Path, PathBuf};
use std::process::Command;

fn script(name: &str) -> Command {
    let root: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut command = Command::new(root.join("scripts").join(name));
    command.current_dir(root).env("HEDDLE", env!("CARGO_BIN_EXE_heddle"));
    command
}

#[test]
#[ignore = "minutes: it makes and compiles the netlists of three designs; needs the tools of `make formal`"]
fn netlists_of_three_designs_do_what_the_rtl_does_and_those_of_planted_bugs_do_not() {
    assert!(script("tools.sh").arg("formal").status().expect("the script starts").success());
    let designs = ["baseline", "racetrack", "sttram"];
    let output = script("second-sim.py").args(designs).output().expect("the script starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    for design in designs {
        let replays = said.lines().filter(|line| line.starts_with(&format!("| {design} "))).count();
        assert_eq!(replays, 2, "replays of {design}:\n{said}");
    }
    assert_eq!(said.lines().filter(|line| line.contains(" is found: ")).count(), 2, "{said}");
}
