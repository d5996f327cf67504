//! The page of small experiments: it is well-formed, and every drawn number is one of the results.

mod drawn;
mod small;

use roxmltree::{Document, Node, ParsingOptions};
use serde_json::json;

use crate::drawn::{drawn_numbers, held};
use crate::small::{BARS, both, html, measured};

#[test]
fn every_drawn_number_is_one_of_the_results() {
    let all = both();
    let text = html(&all).expect("a page");
    let drawn = drawn_numbers(&text);
    // One bar for each kernel and mean, and the average that is quoted beside both means.
    let of = |id: &str| drawn.iter().filter(|one| one.figure == id).collect::<Vec<_>>();
    assert_eq!(of("bars-figure").len(), 4, "{drawn:?}");
    assert_eq!(of("lines-figure").len(), 6, "{drawn:?}");
    held(&drawn, &all).unwrap_or_else(|e| panic!("{e}"));
    for said in [
        "Two designs &amp; &lt;one&gt; kernel",
        "c0ffee",
        "average of the paper for ltrf: 1.25 (all of ltrf-ipc-0)",
    ] {
        assert!(text.contains(said), "{said}");
    }
    let outside: Vec<&str> =
        text.split("http").skip(1).filter(|rest| !rest.contains("w3.org/2000/svg")).collect();
    assert_eq!(outside.iter().filter(|rest| rest.starts_with("://") || rest.starts_with("s://")).count(), 0);
}

#[test]
fn claims_stand_on_the_page_with_their_counts() {
    let text = html(&both()).expect("a page");
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let page = Document::parse_with_options(&text, options).expect("well-formed");
    let table = |id: &str| {
        let table =
            page.descendants().find(|n| n.attribute("id") == Some(id)).unwrap_or_else(|| panic!("{id}"));
        let cells = |row: Node<'_, '_>| -> Vec<String> {
            let cells = row.children().filter(Node::is_element);
            cells
                .map(|cell| cell.descendants().filter_map(|n| n.text().filter(|_| n.is_text())).collect())
                .collect()
        };
        table.descendants().filter(|n| n.has_tag_name("tr")).map(cells).collect::<Vec<_>>()
    };
    let claims = table("claims-ltrf");
    assert_eq!(claims.len(), 4, "{claims:?}");
    let command = "heddle sweep experiments/bars.toml --size smoke";
    let all = ["ltrf-ipc-0", "all", "figure 0", "+25 %", "–", "–", "off", "off by <-50> points", command];
    assert_eq!(claims[1], all);
    assert_eq!(claims[3][6], "not built");
    let summary = table("verdicts-table");
    assert_eq!(summary[0], ["paper", "off", "not built", "values"]);
    assert_eq!(summary[1..], [["LTRF", "2", "1", "3"], ["all", "2", "1", "3"]]);
    assert!(text.contains("1 is mixed"), "one claim, whose values have two verdicts");
    assert_eq!(
        text.matches("class=\"quoted\"").count(),
        2,
        "an average of a part of the kernels is no average drawn"
    );
}

#[test]
fn a_bar_of_another_height_or_number_is_found() {
    let all = both();
    let text = html(&all).expect("a page");
    let bar = drawn_numbers(&text).into_iter().find(|one| one.figure == "bars-figure").expect("a bar");
    let number = format!("data-value=\"{}\"", bar.value);
    let height = format!("height=\"{:.2}\"", bar.pixels);
    for (from, to) in [(number.as_str(), "data-value=\"0.123\""), (height.as_str(), "height=\"3.21\"")] {
        assert!(text.contains(from), "{from}");
        let planted = text.replace(from, to);
        assert!(held(&drawn_numbers(&planted), &all).is_err(), "{from} became {to} and was not found");
    }
}

#[test]
fn a_result_whose_numbers_contradict_each_other_is_refused() {
    let mut all = both();
    let row = &mut all[0].results.rows[1].row;
    let stack = row.get_mut("ipc_stack").and_then(serde_json::Value::as_object_mut).expect("a stack");
    let (name, value) = stack.iter().find(|(name, _)| *name != "issued").expect("a lost slot");
    let (name, wrong) = (name.clone(), value.as_f64().expect("a number") + 0.5);
    stack.insert(name, json!(wrong));
    let error = html(&all).expect_err("a wrong total").to_string();
    assert!(error.starts_with("experiment bars, "), "{error}");
    assert!(error.contains("the sum of ipc_stack is "), "{error}");
    let row = &mut all[0].results.rows[1].row;
    row.insert("ipc".to_owned(), json!(99.0));
    let error = html(&all).expect_err("another ipc").to_string();
    assert!(error.contains("ipc_stack.issued is ") && error.contains("expected 99"), "{error}");
}

#[test]
fn a_figure_says_its_scale_and_what_that_leaves_out() {
    let page = html(&both()).expect("a page");
    assert!(page.contains("Scale smoke: size smoke, without scalarprod, seed 1"), "of the bars");
    assert!(page.contains("Scale smoke: size smoke, seed 1"), "of the lines");
}

#[test]
fn what_is_not_measured_says_so_with_its_command() {
    let text = html(&[measured("bars", BARS, false)]).expect("a page");
    assert!(text.contains("Not measured. <code>sweep bars</code>"), "{text}");
    assert_eq!(drawn_numbers(&text), []);
}
