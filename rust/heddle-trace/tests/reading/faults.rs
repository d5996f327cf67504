//! Faults planted in the sample traces: each is an error that names the place.

use heddle_trace::TraceError;

use crate::samples::{AMPERE, VOLTA, read};

/// Replaces `from` once and returns the error, which must name the line in which the fault is, or where
/// it shows.
fn planted(sample: &str, from: &str, to: &str) -> TraceError {
    assert!(sample.contains(from), "the sample has no `{from}`");
    let faulty = sample.replacen(from, to, 1);
    let error = read(&faulty).expect_err(&format!("`{to}` instead of `{from}`"));
    assert!(error.to_string().contains("kernel-1.traceg:"), "{error}");
    error
}

fn says(error: &TraceError, parts: &[&str]) {
    for part in parts {
        assert!(error.to_string().contains(part), "no `{part}` in: {error}");
    }
}

#[test]
fn numbers_that_are_none() {
    for (from, to, parts) in [
        ("0000 ffffffff 1 R1", "00g0 ffffffff 1 R1", &[":23:1", "program counter", "00g0"][..]),
        ("0000 ffffffff 1 R1", "0000 fffffffff 1 R1", &[":23:6", "mask of 32 lanes"]),
        ("0000 ffffffff 1 R1", "0000 -1 1 R1", &["mask", "`-1`"]),
        ("1 R0 S2R", "2 R0 S2R", &["0 or 1 destination"]),
        ("1 R0 S2R", "1 R256 S2R", &["R0 to R255", "R256"]),
        ("1 R0 S2R 0 0", "1 R0 S2R 0 17", &["memory width"]),
        ("1 R0 S2R 0 0", "1 R0 S2R 5 0", &["0 to 4 source registers"]),
        ("1 R0 S2R 0 0", "1 R0 S2R 0", &["memory width", "the end of the line"]),
        ("1 R0 S2R 0 0", "1 R0 S2R 0 0 0", &["the end of the line", "`0`"]),
        ("0x00007fb52a800000 8", "0x00007fb52a800000", &["stride", "the end of the line"]),
        ("0x00007fb52a800000 8", "0x00007fb52a8000001234567 8", &["base address"]),
        ("0x00007fb52a800000 8", "0xfffffffffffffff8 8", &["outside 64 bits"]),
        ("0x00007fb52a800000 8", "0x00007fb52a800000 99999999999999999999", &["stride"]),
        ("8 1 0x00007fb52a800000", "8 3 0x00007fb52a800000", &["address mode", "`3`"]),
        ("16 -8 8 8 8 8 8 \n", "16 -8 8 8 8 8 \n", &["distance in bytes for each further lane"]),
        ("insts = 10", "insts = ten", &["insts = N"]),
        ("insts = 10", "insts = 0", &[":22:1: warp 0 has no instructions", "record the whole kernel again"]),
    ] {
        says(&planted(VOLTA, from, to), parts);
    }
    says(&planted(AMPERE, "0x00007fb60000000c 0\n", "0x00007fb60000000c\n"), &["an immediate"]);
}

#[test]
fn a_header_that_is_wrong() {
    for (from, to, parts) in [
        ("-block dim = (40,1,1)", "-block dim = (40,40,1)", &["1024 threads"][..]),
        ("-block dim = (40,1,1)", "-block dim = (40,1)", &["(x,y,z)"]),
        ("-grid dim = (2,1,1)", "-grid dim = (4294967296,1,1)", &["(x,y,z)"]),
        ("-grid dim = (2,1,1)", "-grid dim = (0,1,1)", &["(x,y,z)"]),
        ("-grid dim = (2,1,1)\n", "", &["`-grid dim`"]),
        ("-nregs = 16", "-nregs = 999", &["1 to 255"]),
        ("-binary version = 70", "-binary version = 90", &["architectures", "90"]),
        ("tracer version = 3", "tracer version = 6", &["1 to 5"]),
        ("-nregs = 16", "-nregs = 16\n-nregs = 200", &["one line `-nregs`, which is above already"]),
        ("-nregs = 16", "-nregs = 16\n-enable lineinfo = 0\n-enable lineinfo = 0", &["`-enable lineinfo`"]),
        ("-grid dim = (2,1,1)", "-grid dim = (2,1,1)\n-grid dim = (2,1,1)", &["one line `-grid dim`"]),
        ("-nregs = 16", "nregs = 16", &["begins with `-`"]),
        ("-shmem base_addr = 0x00007fb510000000", "-shmem base_addr = here", &["hexadecimal", "here"]),
    ] {
        says(&planted(VOLTA, from, to), parts);
    }
}

#[test]
fn counts_that_do_not_hold() {
    for (from, to) in [("insts = 10", "insts = 11"), ("insts = 9", "insts = 4294967295")] {
        let error = planted(VOLTA, from, to);
        assert!(matches!(error, TraceError::Count { .. }), "{error}");
    }
    let error = planted(VOLTA, "insts = 10", "insts = 9");
    says(&error, &["`warp = 1` or `#END_TB`", "0090 ffffffff 0 EXIT"]);
    let error = planted(VOLTA, "-grid dim = (2,1,1)", "-grid dim = (3,1,1)");
    says(&error, &["blocks of the grid: 3 declared, 2 found"]);
    says(&planted(VOLTA, "(2,1,1)", "(1,1,1)"), &["the end of the file after 1 blocks"]);
    says(&planted(VOLTA, "block dim = (40", "block dim = (65"), &["warps of the block: 3 declared, 2 found"]);
    says(&planted(VOLTA, "thread block = 1,0,0", "thread block = 0,0,0"), &["`thread block = 1,0,0`"]);
    says(&planted(VOLTA, "warp = 1", "warp = 0"), &["warp 1"]);
}

#[test]
fn a_file_that_ends_early() {
    let lines: Vec<&str> = VOLTA.lines().collect();
    for kept in 0..lines.len() - 1 {
        if lines[kept..].iter().all(|l| l.is_empty()) {
            continue;
        }
        let error = read(&lines[..kept].join("\n")).expect_err("lines are missing");
        assert!(error.to_string().contains("kernel-1.traceg:"), "{kept} lines: {error}");
    }
}

#[test]
fn a_file_that_ends_in_the_middle_of_a_line_is_truncated() {
    for at in [
        "-grid dim = (2",
        "#BEG",
        "thread bl",
        "warp = ",
        "insts",
        "0030 ffffffff 1 R4 LDG.E.6",
        "0030 ffffffff 1 R4 LDG.E.64.SYS 1 R2 8 1 0x00007fb52a8",
        "0090 ffffffff 0 EXIT 0 0",
        "#END_T",
    ] {
        let end = VOLTA.find(at).unwrap_or_else(|| panic!("the sample has no `{at}`")) + at.len();
        let error = read(&VOLTA[..end]).expect_err("it is cut");
        let line = VOLTA[..end].lines().count();
        let column = VOLTA[..end].lines().last().unwrap_or_default().trim_end().len() + 1;
        let text =
            format!("kernel-1.traceg:{line}:{column}: the file is truncated in the middle of this line");
        says(&error, &[&text, "`#END_TB` as the last line"]);
    }
    // The last line of a whole file needs no end.
    assert!(read(VOLTA.trim_end()).is_ok());
}

#[test]
fn instructions_that_are_not_possible() {
    says(&planted(VOLTA, "IMAD.WIDE", "QMAD.WIDE"), &[":25:20", "opcode QMAD.WIDE", "sm_70"]);
    says(&planted(VOLTA, "FADD 2 R4", "UTMALDG 2 R4"), &["opcode UTMALDG is not known for sm_70"]);
}

#[test]
fn instructions_at_one_program_counter_are_told_apart() {
    let text =
        VOLTA.replacen("0040 000000ff 0 ISETP.GT.AND 2 R0 R255", "0040 000000ff 0 ISETP.GT.AND 2 R2 R255", 1);
    let kernel = read(&text).expect("well formed");
    let twins = kernel.twins.as_ref().expect("one is another one's twin").to_string();
    for part in ["kernel-1.traceg:", "that of line 27"] {
        assert!(twins.contains(part), "no `{part}` in: {twins}");
    }
    let plain = read(VOLTA).expect("well formed");
    assert_eq!((plain.twins.is_none(), plain.program.instrs.len() + 1), (true, kernel.program.instrs.len()));
}

#[test]
fn a_header_with_too_few_registers_is_a_warning() {
    let kernel = read(&VOLTA.replacen("-nregs = 16", "-nregs = 4", 1)).expect("well formed");
    let text = kernel.more_registers.expect("R5 is beyond").to_string();
    for part in ["kernel-1.traceg:25:20: kernel ", "-nregs = 4, and IMAD.WIDE here names", "have the 6 that"]
    {
        assert!(text.contains(part), "no `{part}` in: {text}");
    }
    assert_eq!(kernel.program.num_regs, 6);
    assert_eq!(read(VOLTA).expect("well formed").more_registers, None);
}

#[test]
fn accesses_beyond_shared_memory_and_between_two_places_are_refused() {
    let beyond = "ends at byte 128 of shared memory; the block has 127, by -shmem";
    says(&planted(VOLTA, "-shmem = 256", "-shmem = 127"), &[":30:17: address 0x7c", beyond]);
    assert!(read(&VOLTA.replacen("-shmem = 256", "-shmem = 160", 1)).is_ok());
    // A thousand bytes and more are reserved before those of the kernel from sm_80 on.
    let generic = "0x00007fb510000010";
    let ampere = planted(AMPERE, generic, "0x00007fb510000400");
    says(
        &ampere,
        &["address 0x7fb510000400", "ends at byte 1028 of shared memory; the block has 0 and 1024 reserved"],
    );
    assert!(read(&AMPERE.replacen(generic, "0x00007fb5100003fc", 1)).is_ok());
    let misaligned = planted(VOLTA, "8 1 0x00007fb52a800000 8", "8 1 0x00007fb52a800004 8");
    says(&misaligned, &[":26:20: address 0x7fb52a800004: an access of 8 bytes begins at a multiple of 8"]);
}

#[test]
fn operands_lanes_and_flow_that_do_not_fit() {
    let error = planted(VOLTA, "0050 000000ff 0 BRA", "0050 000001ff 0 BRA");
    assert!(matches!(error, TraceError::Lanes { mask: 0x1ff, warp: 1, lanes: 0xff, .. }), "{error}");
    says(&planted(VOLTA, "0090 000000ff 0 EXIT", "0090 000000ff 0 NOP"), &["EXIT"]);
    says(
        &planted(VOLTA, "LDG.E.64.SYS 1 R2 8 1 0x00007fb52a800000 8", "LDG.E.64.SYS 1 R2 0"),
        &["without a width"],
    );
    says(&planted(VOLTA, "0x0000000000000080", "0x0000000011111180"), &["16 MiB of shared memory"]);
    says(&planted(AMPERE, "0000 0000000f 1 R1 MOV 0 0 0", "0000 0000000f 1 R1 MOV 0 0 x"), &["an immediate"]);
    says(&planted(AMPERE, "MEMBAR.SC.GPU 0", "MEMBAR.SC.GPU 1 R2"), &["it has at most 0"]);
    says(&planted(VOLTA, "S2R", &"S2R.X".repeat(20)), &["opcode of at most 64 bytes"]);
}

#[test]
fn more_than_is_supported_is_refused() {
    let header = |ctas| {
        format!(
            "-kernel name = many\n-grid dim = ({ctas},1,1)\n-block dim = (1,1,1)\n-nregs = 8\n\
             -binary version = 75\n-accelsim tracer version = 3\n#\n"
        )
    };
    let mut straight = header(1) + "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 131073\n";
    straight.extend((0..131_073).map(|n| format!("{:04x} 1 0 NOP 0 0\n", n * 16)));
    says(&read(&straight).expect_err("too many"), &[":131084:1: more than 131072 distinct instructions"]);
    let mut branches = header(4097);
    branches.extend((0..4097).map(|n| {
        let block = format!("#BEGIN_TB\nthread block = {n},0,0\nwarp = 0\ninsts = 2\n0000 1 0 BRXU 0 0\n");
        format!("{block}{:04x} 1 0 EXIT 0 0\n#END_TB\n", (n + 1) * 16)
    }));
    says(&read(&branches).expect_err("too many"), &["more than 4096 successors of one instruction"]);
}

/// What is passed over ends as well: behind a compressed file it could go on for terabytes.
#[test]
fn lines_that_mean_nothing_have_a_limit() {
    let many = |line: &str| line.repeat(1001);
    says(&planted(VOLTA, "#BEGIN_TB", &many("\n")), &["more than 1000 blank lines in a row"]);
    assert!(read(&VOLTA.replacen("#BEGIN_TB", &("\n".repeat(990) + "#BEGIN_TB"), 1)).is_ok());
    let error = planted(VOLTA, "-nregs", &(many("-key = value\n") + "-nregs"));
    says(&error, &["more than 1000 lines in the header"]);
    let format = "#traces format = x\n";
    let twice = format!("{format}{format}#BEGIN_TB");
    says(&planted(VOLTA, "#BEGIN_TB", &twice), &["expected `#BEGIN_TB`, found `#traces format"]);
    assert!(read(&VOLTA.replacen("#BEGIN_TB", &format!("{format}#BEGIN_TB"), 1)).is_ok());
}

/// The three lines that the tracer's post-processing writes for a thread block cluster.
#[test]
fn lines_on_a_cluster_stand_before_the_first_warp_each_once() {
    let [id, cta, rank] = ["cluster id = 0,0,0\n", "cluster cta = 0,0,0\n", "cluster rank = 0\n"];
    assert!(AMPERE.contains(&format!("{id}{cta}{rank}")), "the sample has them as they are written");
    for some in [&[rank, id, cta][..], &[cta, rank], &[id], &[]] {
        let text = VOLTA.replacen("warp = 0", &format!("{}warp = 0", some.concat()), 1);
        assert!(read(&text).is_ok(), "{some:?}");
    }
    for (from, to, parts) in [
        (
            "warp = 0",
            format!("{id}{cta}{id}warp = 0"),
            [":23:1: expected `cluster id` once", "found `cluster id"],
        ),
        (
            "warp = 0",
            format!("{rank}{rank}warp = 0"),
            [":22:1: expected `cluster rank` once", "`cluster rank = 0`"],
        ),
        ("warp = 1", format!("{rank}warp = 1"), ["expected `warp = 1`", "found `cluster rank = 0`"]),
        ("warp = 0", "cluster cta = 0,0\nwarp = 0".to_owned(), [":21:15: expected three numbers", "`0,0`"]),
        ("warp = 0", "cluster rank = x\nwarp = 0".to_owned(), [":21:16: expected a number", "`x`"]),
        ("warp = 0", "cluster size = 1\nwarp = 0".to_owned(), ["expected `warp = 0`", "`cluster size = 1`"]),
    ] {
        says(&planted(VOLTA, from, &to), &parts);
    }
}

#[test]
fn barriers_without_a_number_are_named() {
    let kernel = read(VOLTA).expect("well formed");
    let text = kernel.assumed_barriers.expect("version 3").to_string();
    for part in ["kernel-1.traceg:", "BAR.SYNC has no number in a trace of version 3", "barrier 0"] {
        assert!(text.contains(part), "no `{part}` in: {text}");
    }
    assert!(!text.contains("doubtful"), "{text}");
    // One warp has another barrier than the warp before it.
    let at = VOLTA.rfind("BAR.SYNC").expect("a barrier");
    let line = VOLTA[..at].rfind('\n').expect("a line") + 1;
    let apart = format!("{}00c0{}", &VOLTA[..line], &VOLTA[line + 4..]);
    let text = read(&apart).expect("well formed").assumed_barriers.expect("version 3").to_string();
    assert!(text.contains("which is doubtful here: "), "{text}");
    // A trace of version 5 has the number.
    assert_eq!(read(AMPERE).expect("well formed").assumed_barriers, None);
}

#[test]
fn bytes_at_random_never_panic() {
    // A linear congruential generator; each fault changes one byte of a sample.
    let mut state = 12345u64;
    let mut refused = 0;
    for sample in [VOLTA, AMPERE] {
        for _ in 0..500 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let mut bytes = sample.as_bytes().to_vec();
            let at = (state >> 33) as usize % bytes.len();
            bytes[at] = b" 0123456789abcfxRGE#-,\n"[(state >> 20) as usize % 23];
            let text = String::from_utf8(bytes).expect("ASCII");
            refused += usize::from(read(&text).is_err());
        }
    }
    assert!(refused > 200, "{refused} of 1000 faults were refused");
}
