//! CERF's storage, computed from the parameters of its RTL, is the model's and the paper's (section III-E).

use std::collections::BTreeMap;
use std::path::Path;

use heddle_designs::cerf::storage::Storage;

/// The integer parameters of a package: sums, differences and products of numbers and earlier names.
fn parameters(file: &str, known: &mut BTreeMap<String, u64>) {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../rtl")).join(file);
    let text = std::fs::read_to_string(&path).expect("the package");
    for line in text.lines() {
        let Some(rest) = line.trim().strip_prefix("localparam int unsigned ") else { continue };
        let statement = rest.split(';').next().expect("a statement");
        let (name, value) = statement.split_once('=').expect("a value");
        let mut result = 0;
        let mut operator = "+";
        for word in value.split_whitespace() {
            if ["+", "-", "*"].contains(&word) {
                operator = word;
                continue;
            }
            let operand = word.parse().unwrap_or_else(|_| {
                // Of another package by its name.
                known[word.rsplit("::").next().unwrap_or(word)]
            });
            result = match operator {
                "-" => result - operand,
                "*" => result * operand,
                _ => result + operand,
            };
        }
        known.insert(name.trim().to_owned(), result);
    }
}

#[test]
fn the_rtl_has_the_published_storage() {
    let mut p = BTreeMap::new();
    for file in ["common/heddle_port_pkg.sv", "common/shell_pkg.sv", "cerf/cerf_pkg.sv"] {
        parameters(file, &mut p);
    }
    let entries = p["NumTagBanks"] * p["EntriesPerBank"];
    for ways in [2, 4, 8] {
        let set_bits = u64::from((p["EntriesPerBank"] / ways).ilog2());
        let tag_bits = p["LineAddressBits"] - p["TagBankBits"] - set_bits;
        let storage = Storage {
            data: p["NumTagBanks"] * p["BanksPerGroup"] * p["EntriesPerBank"] * p["BankBytes"] * 8,
            tags: entries * tag_bits,
            states: entries * 2,
            order: entries * u64::from(ways.ilog2()),
            away: entries * 2,
        };
        assert_eq!(storage, Storage::new(ways as usize), "{ways} ways");
        if ways == 4 {
            assert_eq!(storage.as_published() as f64 / 8.0 / 1024.0, 130.375);
        }
    }
}
