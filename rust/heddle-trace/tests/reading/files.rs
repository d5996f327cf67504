//! Lists, compressed files, and what the writer writes.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use heddle_trace::{
    AddressMap, AddressMode, Command, Header, TraceError, TracedKernel, Writer, Written, read_list,
};

fn header(version: u32) -> Header {
    Header {
        kernel: "written".to_owned(),
        id: 3,
        grid: [3, 2, 1],
        block: [48, 1, 1],
        shared_bytes: 0,
        registers: 20,
        architecture: 75,
        shared_base: 0,
        local_base: 0,
        version,
        line_info: version == 4,
        notes: std::collections::BTreeMap::new(),
    }
}

fn write(path: &Path, version: u32, mode: AddressMode) {
    let mut writer = Writer::create(path, &header(version), mode).expect("writable");
    let scattered: Vec<u64> = (0..16).map(|l| 0x7000_0000_0000 + l * l * 8).collect();
    let even: Vec<u64> = (0..16).map(|l| 0x7000_0010_0000 - l * 8).collect();
    let plain = |pc, opcode| Written {
        pc,
        mask: 0xffff,
        destination: None,
        opcode,
        sources: &[],
        access: None,
        immediate: 9,
    };
    for _ in 0..6 {
        writer.begin_cta().expect("writable");
        for warp in 0..2 {
            let load = Written {
                destination: Some(4),
                sources: &[2],
                access: Some((8, &scattered)),
                ..plain(0, "LDG.E.64")
            };
            let store = Written { sources: &[2, 4], access: Some((4, &even)), ..plain(16, "STG.E.CONSTANT") };
            writer.warp(warp, &[load, store, plain(32, "EXIT")]).expect("writable");
        }
        writer.end_cta().expect("writable");
    }
    writer.finish().expect("writable");
}

fn records(path: &Path) -> Result<Vec<heddle_isa::RecordedCta>, TraceError> {
    let kernel = TracedKernel::read(path, &mut Arc::new(AddressMap::default()), &mut || true)?;
    let mut replay = kernel.replay()?;
    (0..6).map(|cta| replay.cta(cta)).collect()
}

#[test]
fn every_version_mode_and_compression_gives_the_same_records() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let mut all = Vec::new();
    for version in 1..=5 {
        for mode in [AddressMode::Each, AddressMode::Short, AddressMode::Distances] {
            for name in ["a.traceg", "a.traceg.xz"] {
                let path = folder.path().join(name);
                write(&path, version, mode);
                all.push(records(&path).expect("well formed"));
            }
        }
    }
    assert_eq!(all[0].len(), 6);
    assert!(all.iter().all(|records| *records == all[0]));
}

#[test]
fn a_compressed_file_that_is_cut_or_damaged_is_an_error() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("a.traceg.xz");
    write(&path, 5, AddressMode::Short);
    let whole = std::fs::read(&path).expect("written");
    std::fs::write(&path, &whole[..whole.len() / 2]).expect("writable");
    let cut = records(&path).expect_err("half of it is missing");
    assert!(matches!(cut, TraceError::Read { .. }), "{cut}");
    let mut damaged = whole.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x55;
    std::fs::write(&path, &damaged).expect("writable");
    assert!(records(&path).is_err());
    // A few bytes of a compressed file can stand for any number of blank lines.
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 6);
    encoder.write_all(header(5).text().as_bytes()).expect("memory");
    encoder.write_all(&vec![b'\n'; 4 << 20]).expect("memory");
    std::fs::write(&path, encoder.finish().expect("memory")).expect("writable");
    assert!(std::fs::metadata(&path).expect("written").len() < 100_000);
    let endless = records(&path).expect_err("nothing but blank lines").to_string();
    assert!(endless.contains("a.traceg.xz:1016:1: more than 1000 blank lines in a row"), "{endless}");
    std::fs::write(&path, b"not compressed").expect("writable");
    assert!(matches!(records(&path), Err(TraceError::Read { .. })));
}

#[test]
fn a_list_has_copies_and_kernels() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let list = folder.path().join("kernelslist.g");
    let read = |text: &str| {
        std::fs::write(&list, text).expect("writable");
        read_list(&list)
    };
    let text = "MemcpyHtoD,0x00007fb50a800000,8000000\nkernel-1.traceg\nkernel-2.traceg.xz\n";
    let copy = Command::Copy { name: "MemcpyHtoD".to_owned(), address: 0x7fb5_0a80_0000, bytes: 8_000_000 };
    let kernel = |name| Command::Kernel(folder.path().join(name));
    assert_eq!(read(text), Ok(vec![copy, kernel("kernel-1.traceg"), kernel("kernel-2.traceg.xz")]));
    for (text, part) in [
        ("MemcpyHtoD,0x10\nkernel-1.traceg\n", ":1:1: expected `MemcpyHtoD,0xADDRESS,BYTES`"),
        ("kernel-1.traceg\ncudaMalloc,1,2\n", ":2:1: expected a `Memcpy` line"),
        ("MemcpyHtoD,0x10,4\n", "expected the name of a trace"),
    ] {
        let error = read(text).expect_err("not a list").to_string();
        assert!(error.contains(part), "{error}");
    }
    let single = PathBuf::from("x/kernel-4.traceg");
    assert_eq!(read_list(&single), Ok(vec![Command::Kernel(single)]));
    assert!(matches!(read_list(&folder.path().join("none.g")), Err(TraceError::File { .. })));
}
