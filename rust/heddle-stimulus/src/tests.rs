use std::collections::BTreeMap;
use std::path::PathBuf;

use tempfile::TempDir;

use crate::{FORMAT, Group, Header, Port, Reader, StimulusError, Words, Writer};

fn header() -> Header {
    let port = |name: &str, group, word, bits| Port { name: name.to_owned(), group, word, bits };
    Header {
        format: FORMAT,
        port: 2,
        design: "counter".to_owned(),
        top: "counter_top".to_owned(),
        elaboration: "default".to_owned(),
        parameters: BTreeMap::new(),
        generics: BTreeMap::from([("Width".to_owned(), 40)]),
        sources: "0".to_owned(),
        kernel: "none".to_owned(),
        words: Words { input: 1, bulk_input: 1, output: 2, bulk_output: 1 },
        ports: vec![
            port("rst_ni", Group::Input, 0, 1),
            port("value_data_i", Group::BulkInput, 0, 32),
            port("count_o", Group::Output, 0, 40),
            port("value_data_o", Group::BulkOutput, 0, 32),
        ],
    }
}

/// Words of a record: input, bulk input, two outputs, bulk output, and the care bits of the last three.
const RECORDS: [[u32; 8]; 3] = [
    [0, 0, 0, 0, 0, u32::MAX, 0xff, 0],
    [1, 7, 1, 0, 0, u32::MAX, 0xff, 0],
    [1, 7, 2, 1, 7, u32::MAX, 0xff, u32::MAX],
];

fn bytes(header: &Header) -> Vec<u8> {
    let mut writer = Writer::new(header).expect("begun");
    for record in RECORDS {
        writer.push(record.into_iter()).expect("added");
    }
    writer.finish().expect("ended")
}

fn file(bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("run.stim");
    std::fs::write(&path, bytes).expect("written");
    (folder, path)
}

/// What reading the whole file says.
fn error(bytes: &[u8]) -> StimulusError {
    let (_folder, path) = file(bytes);
    let mut reader = match Reader::open(&path) {
        Ok(reader) => reader,
        Err(error) => return error,
    };
    loop {
        match reader.next_record() {
            Ok(true) => {}
            Ok(false) => panic!("the file was read without an error"),
            Err(error) => return error,
        }
    }
}

#[test]
fn what_is_written_is_read() {
    let (_folder, path) = file(&bytes(&header()));
    let mut reader = Reader::open(&path).expect("opened");
    assert_eq!(reader.header(), &header());
    for record in RECORDS {
        assert!(reader.next_record().expect("read"));
        assert_eq!(reader.words(Group::Input), &record[..1]);
        assert_eq!(reader.words(Group::BulkInput), &record[1..2]);
        assert_eq!(reader.words(Group::Output), &record[2..4]);
        assert_eq!(reader.words(Group::BulkOutput), &record[4..5]);
        assert_eq!(reader.care(Group::Output), &record[5..7]);
        assert_eq!(reader.care(Group::BulkOutput), &record[7..]);
    }
    assert!(!reader.next_record().expect("the end"));
    assert_eq!(reader.records(), 3);
    let (port, word) = reader.header().port_of(Group::Output, 1).expect("a port");
    assert_eq!((port.name.as_str(), word), ("count_o", 1));
}

#[test]
fn a_file_that_is_cut_off_or_changed_is_refused() {
    let whole = bytes(&header());
    let cut = error(&whole[..whole.len() - 20]);
    assert!(matches!(cut, StimulusError::Read { .. }), "{cut}");
    let plain = error(b"{}\n");
    assert!(matches!(plain, StimulusError::Read { record: 0, .. }), "{plain}");
    let mut flipped = whole.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    error(&flipped);
}

#[test]
fn what_follows_the_recording_is_refused_with_its_place() {
    let whole = bytes(&header());
    for more in [&b"x"[..], &[0; 4], &whole] {
        let text = error(&[&whole[..], more].concat()).to_string();
        let place = format!("record 3: the xz stream ends at byte {}, and the file goes on", whole.len());
        assert!(text.contains(&place), "{text}");
    }
}

#[test]
fn a_port_or_a_word_beyond_the_groups_is_refused() {
    let mut short = header();
    short.words.bulk_output = 0;
    let text = error(&bytes(&short)).to_string();
    assert!(text.contains("port value_data_o lies beyond the words of its group"), "{text}");
    // The words of a wider header behind a narrower one.
    short.ports.pop();
    let mut plain = serde_json::to_vec(&short).expect("text");
    plain.extend(b"\n");
    plain.extend([1u32, 7, 5].iter().flat_map(|number| number.to_le_bytes()));
    let mut stream = liblzma::write::XzEncoder::new(Vec::new(), 1);
    std::io::Write::write_all(&mut stream, &plain).expect("compressed");
    let text = error(&stream.finish().expect("ended")).to_string();
    assert!(text.ends_with("record 0: word 7 changes; expected one below 6"), "{text}");
}

#[test]
fn another_format_is_refused() {
    let text = error(&bytes(&Header { format: FORMAT + 1, ..header() })).to_string();
    assert!(
        text.ends_with("it is of format 2; expected the header of a stimulus file of format 1"),
        "{text}"
    );
    // Whatever else the header of another format has or lacks.
    let mut stream = liblzma::write::XzEncoder::new(Vec::new(), 1);
    std::io::Write::write_all(&mut stream, b"{\"format\": 7, \"seed\": 1}\n").expect("compressed");
    let text = error(&stream.finish().expect("ended")).to_string();
    assert!(text.contains("it is of format 7; expected the header"), "{text}");
    let mut headless = header();
    headless.ports.remove(0);
    let text = error(&bytes(&headless)).to_string();
    assert!(text.contains("its first port is not the reset"), "{text}");
}
