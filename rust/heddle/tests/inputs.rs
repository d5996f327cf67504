//! Kernels on inputs from files, `--input`, through the real program.

use std::fs;

use crate::common::{Ran, cases, heddle, text};

/// Runs a kernel on files on the golden machine.
fn exec(kernel: &str, files: &[&str]) -> Ran {
    let mut arguments = vec!["exec", "-q", "-k", kernel, "--format", "json"];
    arguments.extend(files.iter().flat_map(|file| ["--input", file]));
    heddle(&arguments)
}

#[test]
fn a_graph_list_runs_on_every_engine() {
    let rows = exec("bfs", &["inputs/graph.txt"]).passes().json();
    let row = rows.first().expect("a row");
    assert_eq!((&row["size"], &row["ok"]), (&"input".into(), &true.into()));
    // From node 1 to 3, 4 and 5, to 7, to 9, to 10, and from there to none: two launches a level.
    assert_eq!(row["launches"], 10, "{row}");
    // Costs, and three flags a node.
    assert_eq!(row["reference_words_compared"], 4 * 12);
    for engine in ["sim", "cosim"] {
        for design in
            ["baseline", "ltrf", "racetrack", "hybrid-gated", "sttram", "cerf", "cerf-fair", "osm", "ucm"]
        {
            let ran = heddle(&[
                engine,
                "-q",
                "-k",
                "bfs",
                "-d",
                design,
                "--input",
                "inputs/graph.txt",
                "--format",
                "json",
            ]);
            let rows = ran.passes().json();
            assert_eq!((&rows[0]["launches"], &rows[0]["ok"]), (&10.into(), &true.into()));
        }
    }
}

#[test]
fn other_kernels_take_their_files() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("writable");
        path
    };
    let temperature: String = (0..400).map(|i| format!("{}\n", 320.0 + 0.25 * f64::from(i % 23))).collect();
    let power: Vec<u8> = (0..400_u16).flat_map(|i| (f32::from(i % 7) * 1e-3).to_le_bytes()).collect();
    let image = [&b"P5 64 32 255\n"[..], &(0..64 * 32).map(|i| (i * i % 251) as u8).collect::<Vec<_>>()];
    let points: String = (0..300).map(|i| format!("{i} {} {} 0.5\n", i % 17, i % 5)).collect();
    let speckle: String = (0..32 * 16).map(|i| format!("{}\n", i * i % 251)).collect();
    let costs: String = (0..45).map(|i| format!("{} {} {}\n", i % 7, i % 4, 65_535 - i)).collect();
    for (kernel, files, words) in [
        // The buffer of the last launch and the one before.
        ("hotspot", vec![write("t.txt", temperature.as_bytes()), write("p.bin", &power)], 2 * 400),
        ("histogram", vec![write("bytes", &[7; 4096])], 64 + 256),
        ("dct8x8", vec![write("i.pgm", &image.concat())], 5 * 64 * 32),
        // The image, its coefficients and four differences.
        ("srad", vec![write("s.pgm", format!("P2 32 16 255\n{speckle}").as_bytes())], 6 * 32 * 16),
        // The last row, in three launches.
        ("pathfinder", vec![write("costs", costs.as_bytes())], 3),
        // Three features of each point in columns, and its cluster in two rounds.
        ("kmeans", vec![write("points", points.as_bytes())], (3 + 2) * 300),
    ] {
        let files: Vec<&str> = files.iter().map(|f| text(f)).collect();
        let rows = exec(kernel, &files).passes().json();
        assert_eq!(rows[0]["reference_words_compared"], words, "{kernel}");
    }
}

#[test]
fn faults_of_files_are_shown_with_their_place() {
    let good = fs::read_to_string(cases().join("inputs/graph.txt")).expect("the sample");
    let folder = tempfile::tempdir().expect("temporary folder");
    let bad = folder.path().join("bad.txt");
    fs::write(&bad, good.replacen("6 2", "12 2", 1)).expect("writable");
    exec("bfs", &[text(&bad)]).fails(2, &["bad.txt:23:1: expected a node, 0 to 11, found '12'"]);
    exec("bfs", &["inputs/none.txt"]).fails(2, &["cannot read inputs/none.txt"]);
    exec("bfs", &["inputs"]).fails(2, &["cannot read inputs"]);
    exec("kmeans", &["inputs/graph.txt"]).fails(2, &["graph.txt:1:1: expected a row of 1 values"]);
    exec("dct8x8", &["inputs/graph.txt"]).fails(2, &["expected P2 or P5"]);
    exec("srad", &["inputs/graph.txt"]).fails(2, &["graph.txt:1:1: expected P2 or P5"]);
    exec("pathfinder", &["inputs/graph.txt"])
        .fails(2, &["graph.txt:2:1: expected a row of 1 costs, found 2"]);
    exec("hotspot", &["inputs/graph.txt", "inputs/graph.txt"])
        .fails(2, &["expected the cells of a square, found 57 floats"]);
}

#[test]
fn files_must_be_as_many_as_the_kernel_takes() {
    let one = ["inputs/graph.txt"];
    exec("vectoradd", &one).fails(2, &["kernel 'vectoradd' takes no file as --input; 1 given"]);
    exec("bfs", &[one[0]; 2]).fails(2, &["takes a graph list as Rodinia has it as --input; 2 given"]);
    exec("hotspot", &one).fails(2, &["a square chip, row by row and the power of its cells", "1 given"]);
    exec("all", &one).fails(2, &["--input takes one kernel, named with --kernel; not 'all'"]);
    exec("bfs,srad", &one).fails(2, &["--input takes one kernel", "not 'bfs,srad'"]);
    heddle(&["exec", "-k", "bfs", "-s", "small", "--input", one[0]]).fails(2, &["cannot be used with"]);
}
