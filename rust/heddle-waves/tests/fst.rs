//! FST made from VCD says the same as the VCD, read back with an independent reader.

use std::path::Path;

use wellen::simple::Waveform;

const VCD: &str = "$timescale 1ps $end
$scope module TOP $end
$var wire 1 ! clk $end
$scope module core $end
$var wire 8 \" count [7:0] $end
$var wire 1 # clk $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
0!
b101 \"
1#
#5
1!
bx \"
#10
0!
b11110000 \"
0#
";

fn changes(path: &Path) -> Vec<(String, Vec<(u64, String)>)> {
    let mut wave: Waveform = wellen::simple::read(path).expect("readable waveform");
    let hierarchy = wave.hierarchy();
    let vars: Vec<_> = hierarchy
        .all_vars()
        .map(|v| (hierarchy[v].full_name(hierarchy), hierarchy[v].signal_ref()))
        .collect();
    let times = wave.time_table().to_vec();
    vars.into_iter()
        .map(|(name, signal)| {
            wave.load_signals(&[signal]);
            let loaded = wave.get_signal(signal).expect("loaded");
            let values = loaded
                .iter_changes()
                .map(|(t, v)| (times[t as usize], v.to_bit_string().unwrap_or_default()))
                .collect();
            (name, values)
        })
        .collect()
}

#[test]
fn every_change_survives() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let (vcd, fst) = (folder.path().join("a.vcd"), folder.path().join("a.fst"));
    std::fs::write(&vcd, VCD).expect("writable");
    heddle_waves::vcd_to_fst(&vcd, &fst).expect("converts");
    let (a, b) = (changes(&vcd), changes(&fst));
    assert_eq!(a.len(), 3);
    assert!(a.iter().all(|(_, values)| values.len() >= 2));
    assert_eq!(a, b);
}

#[test]
fn a_broken_file_is_named() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let vcd = folder.path().join("a.vcd");
    std::fs::write(&vcd, "$scope module $end nonsense").expect("writable");
    let message =
        heddle_waves::vcd_to_fst(&vcd, &folder.path().join("a.fst")).expect_err("broken").to_string();
    assert!(message.contains("a.vcd"), "{message}");
}

#[test]
fn a_target_that_cannot_be_written_is_an_error() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let vcd = folder.path().join("a.vcd");
    std::fs::write(&vcd, VCD).expect("writable");
    let message =
        heddle_waves::vcd_to_fst(&vcd, Path::new("/dev/null/a.fst")).expect_err("no folder").to_string();
    assert!(message.contains("/dev/null/a.fst"), "{message}");
}
