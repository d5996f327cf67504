//! `docs/registers.md` is true: its counts are those of the kernels in the tree, and they are near those of
//! the real compiler.

#[path = "../examples/registers/page.rs"]
mod page;

#[test]
fn the_page_of_register_counts_is_true() {
    let rows = page::rows().unwrap_or_else(|e| panic!("{e}"));
    let path = page::root().join("docs/registers.md");
    let old = std::fs::read_to_string(&path).expect("docs/registers.md");
    for (old, new) in old.lines().zip(page::text(&rows).lines()) {
        assert_eq!(old, new, "docs/registers.md is stale; run scripts/registers.sh");
    }
    assert_eq!(old.lines().count(), page::text(&rows).lines().count());
}

#[test]
fn registers_are_near_those_of_the_real_compiler() {
    let rows = page::rows().unwrap_or_else(|e| panic!("{e}"));
    assert!(rows.len() >= 7, "only {} kernels", rows.len());
    // At -O1 ptxas keeps nearest to the order of the text, as this compiler does; at -O3 it unrolls and
    // loads early, for which it pays with registers.
    let o1 = page::median(rows.iter().map(|r| f64::from(r.ours) / f64::from(r.o1)).collect());
    let o3 = page::median(rows.iter().map(page::Row::ratio).collect());
    assert!(page::NEAR.contains(&o1), "the median of the ratio to -O1 is {o1}");
    assert!(o3 <= *page::NEAR.end(), "the median of the ratio to -O3 is {o3}");
    for row in &rows {
        // No allocation has fewer registers than are live, and a good one has hardly more.
        assert!(row.ours <= row.limit.unwrap_or(255), "{}", row.entry);
        let slack = row.ours.saturating_sub(row.live);
        assert!(row.limit.is_some() || (row.ours >= row.live && slack <= 2), "{}: {slack} over", row.entry);
    }
}
