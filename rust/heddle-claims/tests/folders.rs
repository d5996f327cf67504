//! Folders of results that are none.

mod common;

use common::{root, stock};
use heddle_claims::Evidence;
use heddle_cosim::MadeBy;
use heddle_experiments::Identity;

#[test]
fn a_file_in_place_of_the_folder_of_results_is_refused() {
    let stock = stock();
    let identity = Identity::new(&root(), MadeBy::default()).expect("readable files");
    let folder = tempfile::tempdir().expect("temporary folder");
    Evidence::load(&stock, &identity, &folder.path().join("nowhere")).expect("nothing was run");
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("writable");
    let error = Evidence::load(&stock, &identity, &file).map(drop).expect_err("no folder");
    let expected = format!("{} is no folder; expected the folder of results", file.display());
    assert_eq!((error.to_string(), error.exit_code()), (expected, 2));
}
