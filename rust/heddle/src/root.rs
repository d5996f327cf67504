//! Where the Heddle repository is: `rtl/` and `testbench/` are read at run time.

use std::path::PathBuf;

use crate::Failure;

/// The repository: `HEDDLE_ROOT`, else the nearest folder above the current one that holds
/// `rtl/common/heddle_port_pkg.sv`, else above the program itself.
pub fn root() -> Result<PathBuf, Failure> {
    let marker = "rtl/common/heddle_port_pkg.sv";
    if let Some(root) = std::env::var_os("HEDDLE_ROOT").map(PathBuf::from) {
        return if root.join(marker).is_file() {
            // Verilator and other programs run in folders of their own.
            std::path::absolute(&root)
                .map_err(|e| Failure::usage(format!("HEDDLE_ROOT is {}: {e}", root.display())))
        } else {
            Err(Failure::usage(format!("HEDDLE_ROOT is {}, but {marker} is not there", root.display())))
        };
    }
    let starts = [std::env::current_dir().ok(), std::env::current_exe().ok()];
    starts
        .iter()
        .flatten()
        .flat_map(|start| start.ancestors())
        .find(|folder| folder.join(marker).is_file())
        .map(PathBuf::from)
        .ok_or_else(|| {
            Failure::usage(format!(
                "no Heddle repository here ({marker} is in no folder above); set HEDDLE_ROOT to it"
            ))
        })
}
