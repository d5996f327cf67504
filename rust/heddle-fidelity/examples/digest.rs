//! Prints the digest of traces in folders, named after the folders: `digest FOLDER...` gives rows of
//! `data/digests.csv` for the traces with which references were measured.

#[path = "../tests/common/mod.rs"]
mod common;

use std::path::Path;

fn main() -> Result<(), heddle_trace::TraceError> {
    println!("trace,warp_instructions,sha256");
    for folder in std::env::args().skip(1) {
        let folder = Path::new(&folder);
        let (count, sha256) = common::digest(&folder.join("kernelslist.g"))?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        println!("{name},{count},{sha256}");
    }
    Ok(())
}
