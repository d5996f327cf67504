//! Storage of structures, from the sizes in their RTL.

use heddle_designs::cerf::storage::Storage;
use heddle_files::Input;

use super::prepared::prepared;
use super::{Family, fail};
use crate::error::ClaimError;
use crate::stock::Stock;

/// CERF, section III-E.
pub const CERF: Family = Family {
    measures: &[
        ("cerf-storage-kb", "data, tags and states of the integrated memory, in KB"),
        (
            "baseline-storage-kb",
            "registers of the baseline with four groups of banks, and data, tags and states of its L1D, in KB",
        ),
    ],
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
/// Bits of a warp register, which is what a row of a bank holds.
const WARP_REGISTER_BITS: u64 = 1024;
/// A package of the RTL has some kilobytes.
const PACKAGE: Input = Input { expected: "a package of SystemVerilog", most: 1 << 20 };

/// The experiment and the point with the separate memories that the integrated one stands against.
const SEPARATE: (&str, &str) = ("cerf-policies", "baseline");
/// Bits of an address, of which an L1D keeps those above line and set, and of a line's state.
const ADDRESS_BITS: u32 = 32;
const STATE_BITS: u64 = 2;

fn cerf(stock: &Stock) -> Result<Vec<(&'static str, f64)>, ClaimError> {
    let kilobytes = |bits: u64| bits as f64 / 8.0 / 1024.0;
    let (experiment, point) = SEPARATE;
    let baseline = prepared("baseline-storage-kb", stock, experiment, point)?;
    let size = |name: &str| {
        let size = baseline.instance.parameters.get(name).and_then(|size| u64::try_from(size).ok());
        size.ok_or_else(|| fail("baseline-storage-kb")(format!("the baseline has no size '{name}'")))
    };
    let registers = size("num_banks")? * size("rows_per_bank")? * WARP_REGISTER_BITS;
    let l1d = &baseline.preset.l1d;
    let separate = registers + l1d_bits(l1d.bytes, l1d.ways, l1d.line_bytes);
    Ok(vec![
        ("cerf-storage-kb", kilobytes(Storage::new(CERF_WAYS).as_published())),
        ("baseline-storage-kb", kilobytes(separate)),
    ])
}

/// Bits of data, tags and states of an L1D, as [`Storage::as_published`] counts those of the integrated memory.
fn l1d_bits(bytes: u32, ways: u32, line_bytes: u32) -> u64 {
    let lines = bytes / line_bytes.max(1);
    let sets = (lines / ways.max(1)).max(1);
    let tag = ADDRESS_BITS.saturating_sub(line_bytes.max(1).ilog2() + sets.ilog2());
    u64::from(lines) * (u64::from(line_bytes) * 8 + u64::from(tag) + STATE_BITS)
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

#[cfg(test)]
mod tests {
    use super::l1d_bits;

    /// Section III-E: 16 KB in 32 sets of 4 ways; 20 bits of a tag and 2 of a state, 0.34 KB in all.
    #[test]
    fn an_l1d_has_tags_and_states() {
        assert_eq!(l1d_bits(16 << 10, 4, 128), (16 << 13) + 128 * (20 + 2));
        // Twice as many sets have a bit less.
        assert_eq!(l1d_bits(32 << 10, 4, 128), (32 << 13) + 256 * (19 + 2));
    }
}
