use super::{Instruction, MAX_TEXT, Parser, contiguous};
use crate::error::TraceError;
use crate::header::Header;
use crate::lines::Lines;
use crate::source::Source;

const HEAD: &str = "-kernel name = one\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-nregs = 8\n\
                    -binary version = 75\n-accelsim tracer version = 3\n#\n";

/// The lines of `text` behind a header, and that header.
fn opened(head: &str, text: &str) -> (Lines, Header) {
    let bytes = format!("{head}{text}").into_bytes();
    let source = Source::Bytes { name: "kernel-1.traceg".into(), bytes: bytes.as_slice().into() };
    let mut lines = Lines::open(&source).expect("there");
    let header = Header::read(&mut lines).expect("a header");
    (lines, header)
}

/// What `see` makes of each line of `text`, all of them read by one parser.
fn parsed<T>(head: &str, text: &str, see: impl Fn(Result<Instruction<'_>, TraceError>) -> T) -> Vec<T> {
    let (mut lines, header) = opened(head, text);
    let (mut parser, mut all) = (Parser::default(), Vec::new());
    while let Some(line) = lines.next_line().expect("text") {
        all.push(see(parser.parse(line, &header, [0; 3], 0)));
    }
    all
}

#[test]
fn a_text_that_came_before_says_what_it_said_and_no_other_one_does() {
    let text = "0010 1 1 R4 LDG 1 R2 1 1 0x100 4\n0010 3 1 R4 LDG 1 R2 1 2 0x100 8\n\
                0010 1 1 R4 LDG 1 R2 16 1 0x100 4\n0010 1 1 R4  LDG 1 R2 1 1 0x100 4\n\
                0010 1 1 R4 LDG 1 R3 1 1 0x100 4\n0020 1 1 R4 LDG 1 R2 1 1 0x100 4\n";
    let seen = parsed(HEAD, text, |i| {
        let i = i.expect("well formed");
        (i.number, i.width, i.sources[0], i.addresses.len(), i.opcode.to_owned(), i.column)
    });
    let expected = [
        (Some(0), 1, 2, 1, 13),
        (Some(0), 1, 2, 2, 13),
        (None, 16, 2, 1, 13),
        (None, 1, 2, 1, 14),
        (None, 1, 3, 1, 13),
        (Some(1), 1, 2, 1, 13),
    ];
    let expected = expected.map(|(number, width, source, lanes, column)| {
        (number, width, source, lanes, "LDG".to_owned(), column)
    });
    assert_eq!(seen, expected);
}

#[test]
fn a_line_without_addresses_says_the_same_again() {
    let head = HEAD.replace("version = 3", "version = 5").replace("#\n", "-enable lineinfo = 1\n#\n");
    let first = "7 0010 f 1 R4 FFMA.FTZ 3 R2 R3 R4 0 0x10";
    let lines = [first, "7 0010  f 1 R4 FFMA.FTZ 3 R2 R3 R4 0 0x10", "8 0010 3 1 R4 FFMA 2 R2 R3 0 0x20"];
    let once = lines.map(|line| format!("{line}\n")).concat();
    let seen = parsed(&head, &once.repeat(2), |i| format!("{:?}", i.expect("well formed")));
    assert_eq!(seen[..3], seen[3..]);
    assert!(seen[0].contains("FFMA.FTZ") && seen[0].contains("number: Some(0)"), "{}", seen[0]);
    assert!(seen[2].contains("number: None") && seen[2].contains("Some(32)"), "{}", seen[2]);
}

#[test]
fn in_old_versions_a_line_is_of_its_block_and_warp_however_often_it_came() {
    let head = HEAD.replace("version = 3", "version = 2");
    let (mut lines, header) = opened(&head, &"0 0 0 0 0010 1 0 NOP 0 0\n".repeat(3));
    let mut parser = Parser::default();
    for (block, warp, fits) in [([0; 3], 0, true), ([0; 3], 1, false), ([1, 0, 0], 0, false)] {
        let line = lines.next_line().expect("text").expect("a line");
        assert_eq!(parser.parse(line, &header, block, warp).is_ok(), fits, "{block:?} {warp}");
    }
}

#[test]
fn an_error_behind_a_text_that_came_before_stands_in_its_column() {
    let text = "0010 1 1 R4 LDG 1 R2 4 1 0x100 4\n0010 1 1 R4 LDG 1 R2 4 1 0x100 x\n";
    let seen = parsed(HEAD, text, |i| i.err().map(|error| error.to_string()));
    assert_eq!(seen[0], None);
    let error = seen[1].as_deref().expect("the second line is wrong");
    assert!(error.starts_with("kernel-1.traceg:9:32: "), "{error}");
}

#[test]
fn a_long_text_is_not_kept() {
    let line = format!("0010 1 1 R4{} LDG 1 R2 4 1 0x100 4\n", " ".repeat(MAX_TEXT));
    let seen = parsed(HEAD, &line.repeat(2), |i| i.expect("well formed").number);
    assert_eq!(seen, [None, None]);
}

#[test]
fn neighbouring_lanes() {
    for mask in [0, 1, 0b110, u32::MAX, 0xFFFF_0000, 0x8000_0000] {
        assert!(contiguous(mask), "{mask:#x}");
    }
    for mask in [0b101, 0x8000_0001, 0xFFFF_FFFD] {
        assert!(!contiguous(mask), "{mask:#x}");
    }
}
