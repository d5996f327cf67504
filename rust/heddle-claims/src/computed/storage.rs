//! Storage of structures, from the sizes in their RTL.

use heddle_designs::cerf::storage::Storage;
use heddle_files::Input;

use super::{Family, fail};
use crate::error::ClaimError;
use crate::stock::Stock;

/// CERF, section III-E.
pub const CERF: Family = Family {
    measures: &[("cerf-storage-kb", "data, tags and states of the integrated memory, in KB")],
    compute: cerf,
    command: None,
};

/// LTRF, section 5.3.
pub const LTRF: Family = Family {
    measures: &[
        ("ltrf-wcb-bits", "bits of the warp control blocks without liveness vector"),
        ("ltrf-plus-wcb-bits", "bits of the warp control blocks with liveness vector"),
    ],
    compute: ltrf,
    command: None,
};

/// Ways of the published memory; other associativities have other tags.
const CERF_WAYS: usize = 4;
/// A package of the RTL has some kilobytes.
const PACKAGE: Input = Input { expected: "a package of SystemVerilog", most: 1 << 20 };

fn cerf(_: &Stock) -> Result<Vec<(&'static str, f64)>, ClaimError> {
    let bits = Storage::new(CERF_WAYS).as_published();
    Ok(vec![("cerf-storage-kb", bits as f64 / 8.0 / 1024.0)])
}

/// The sums of `WcbBits` and `WcbBitsPlus` in the package, at whose values the elaborations of the RTL hold their arrays.
fn ltrf(stock: &Stock) -> Result<Vec<(&'static str, f64)>, ClaimError> {
    let package = PACKAGE.text(&stock.root().join("rtl/ltrf/ltrf_pkg.sv"))?;
    let parameter = |name: &str| -> Result<u64, ClaimError> {
        let start = format!("localparam int unsigned {name} ");
        let value = package.lines().find_map(|line| line.trim().strip_prefix(&start)?.split_once('='));
        let number = value.and_then(|(_, value)| value.split(';').next()?.trim().parse().ok());
        number.ok_or_else(|| fail("ltrf-wcb-bits")(format!("rtl/ltrf/ltrf_pkg.sv has no number {name}")))
    };
    let (warps, registers) = (heddle_port::NUM_WARPS as u64, heddle_port::NUM_REGS as u64);
    let entry = parameter("CacheBankBits")? + 1;
    let bits = warps * (registers * entry + parameter("SlotBits")? + registers);
    let plus = bits + warps * registers;
    Ok(vec![("ltrf-wcb-bits", bits as f64), ("ltrf-plus-wcb-bits", plus as f64)])
}
