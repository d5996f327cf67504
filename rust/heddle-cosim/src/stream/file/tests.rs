use std::path::Path;

use super::{LaunchRecord, Reader, StreamError, Writer};

fn records() -> Vec<LaunchRecord> {
    let contents = [vec![7; 3000], (0..=255).cycle().take(999).collect(), Vec::new()];
    let record = |(number, contents): (u8, Vec<u8>)| LaunchRecord {
        left: [number; 32],
        turns: number == 1,
        residency: 60 + u32::from(number),
        contents,
    };
    (0..).zip(contents).map(record).collect()
}

fn write(path: &Path) {
    let mut writer = Writer::new(path, "key").expect("writable");
    records().iter().for_each(|record| writer.launch(record).expect("writable"));
    assert!(!path.exists(), "it is there before it is whole");
    writer.end(77).expect("writable");
}

/// All that the file says.
fn read(path: &Path) -> Result<(Vec<LaunchRecord>, u64), StreamError> {
    let mut reader = Reader::open(path, "key")?;
    let launches = records().iter().map(|_| reader.launch()).collect::<Result<_, _>>()?;
    Ok((launches, reader.end()?))
}

#[test]
fn a_stream_comes_back_and_has_no_more_and_no_fewer_launches() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("streams/key");
    write(&path);
    assert_eq!(read(&path).expect("a whole file"), (records(), 77));
    let early = Reader::open(&path, "key").expect("a header").end().expect_err("launches follow");
    assert!(early.to_string().contains("launch 0: a record of kind 1 follows, expected the end"), "{early}");
    let mut reader = Reader::open(&path, "key").expect("a header");
    records().iter().for_each(|_| drop(reader.launch().expect("a launch")));
    let late = reader.launch().expect_err("no launch follows");
    assert!(
        late.to_string().contains("launch 3: a record of kind 2 follows, expected another launch"),
        "{late}"
    );
}

#[test]
fn no_change_of_a_byte_gives_other_contents() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("key");
    write(&path);
    let whole = std::fs::read(&path).expect("there");
    let mut same = 0;
    for at in 0..whole.len() {
        let mut broken = whole.clone();
        broken[at] ^= 1 << (at % 8);
        std::fs::write(&path, &broken).expect("writable");
        // Compressed bytes may say the same in another way.
        if let Ok(found) = read(&path) {
            assert_eq!(found, (records(), 77), "byte {at}");
            same += 1;
        }
    }
    assert!(same < whole.len() / 4, "{same} changes of {} were not seen", whole.len());
    for at in (0..whole.len()).step_by(7) {
        std::fs::write(&path, &whole[..at]).expect("writable");
        assert!(read(&path).is_err(), "cut at byte {at}");
    }
}

#[test]
fn another_stream_is_told_from_the_one_that_is_wanted() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("key");
    write(&path);
    let foreign = Reader::open(&path, "other").expect_err("another key").to_string();
    assert!(foreign.ends_with("it is that of key; expected the functional stream of other"), "{foreign}");
    std::fs::write(&path, "{\"format\":0,\"key\":\"key\"}\n").expect("writable");
    let old = Reader::open(&path, "key").expect_err("another format").to_string();
    assert!(old.contains("it is of format 0, this program reads 1"), "{old}");
    std::fs::write(&path, vec![b'x'; 1 << 16]).expect("writable");
    assert!(matches!(Reader::open(&path, "key"), Err(StreamError::Foreign { .. })));
}
