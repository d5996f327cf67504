//! The page docs/textures.md: its launch file is the one of the example, which runs.

use crate::common;
use crate::common::{heddle, text};

/// Lines of the indented block of the page that begins with `first`, without the indentation.
fn block(page: &str, first: &str) -> Vec<String> {
    let lines = page.lines().map(|line| line.strip_prefix("    ").or(line.is_empty().then_some("")));
    let lines = lines.skip_while(|line| *line != Some(first)).map_while(|line| line.map(str::to_owned));
    let mut lines: Vec<String> = lines.collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

#[test]
fn the_example_of_the_page_runs_on_every_machine() {
    let docs = common::cases().join("../../../../docs");
    let page = std::fs::read_to_string(docs.join("textures.md")).expect("the page");
    let example = docs.join("examples/halve");
    let launch = example.join("halve.toml");
    let file = std::fs::read_to_string(&launch).expect("the launch file");
    assert_eq!(block(&page, "entry = \"halve\""), file.lines().collect::<Vec<_>>());

    let ptx = example.join("halve.ptx");
    let inputs = [text(&ptx), "--launch", text(&launch)];
    let golden = heddle(&[&["exec"][..], &inputs[..], &["--format", "json"][..]].concat()).passes();
    assert_eq!(golden.json()[0]["reference_words_compared"], 512, "{}", golden.stdout);
    for design in ["baseline", "ltrf", "cerf", "cerf-fair", "ucm"] {
        let run =
            heddle(&[&["cosim"][..], &inputs[..], &["-d", design, "--format", "json"][..]].concat()).passes();
        let row = &run.json()[0];
        assert_eq!(row["reference_words_compared"], 512, "{row}");
        // Four texels for each of 512 results, none of which is at an edge.
        assert_eq!(row["texels_compared"], 2048, "{row}");
    }
    let model = heddle(&[&["sim"][..], &inputs[..], &["-d", "ltrf"][..]].concat());
    assert_eq!(model.code, 0, "{}", model.stderr);
}

#[test]
fn a_wrong_image_is_told_by_place() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let example = common::cases().join("../../../../docs/examples/halve");
    let launch = std::fs::read_to_string(example.join("halve.toml")).expect("the launch file");
    let launch = launch.replace("expect = \"expected.npy\"\n", "");
    let ptx = example.join("halve.ptx");
    let run = |launch: &str, code: i32, parts: &[&str]| {
        let path = folder.path().join("launch.toml");
        std::fs::write(&path, launch).expect("written");
        for command in ["exec", "cosim"] {
            heddle(&[command, text(&ptx), "--launch", text(&path)]).fails(code, parts);
        }
    };
    run(
        &launch.replace("[64, 32]", "[64, 33]"),
        2,
        &["launch.toml:16:1: ", "8448", "8192 bytes of 'pixels'"],
    );
    run(&launch.replace("value = \"half\"", "value = \"image\""), 2, &["there is no surface 'image'"]);
    run(
        &launch.replace("extent = [32, 16]", "extent = [32, 15]"),
        1,
        &["halve.ptx:", "row 15", "outside the surface of 128 bytes by 15 rows"],
    );
}
