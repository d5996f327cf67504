//! The design that docs/adding-a-design-by-example.md builds up, as far as that needs no model of it.

use std::path::Path;

use heddle_author::check_files;

#[test]
fn the_files_of_the_guides_example_are_right() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let tree = heddle_outside::tree(&root, &[root.join("docs/examples/regcache")]).expect("a design");
    let mut looked_at = 0;
    check_files(&tree, "regcache", false, &mut |finding| {
        looked_at += 1;
        assert!(finding.result.is_ok(), "{}: {:?}", finding.what, finding.result);
    });
    assert!(looked_at > 5, "{looked_at}");
}
