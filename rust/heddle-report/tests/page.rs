//! The page of small experiments: it is well-formed, and every drawn number is one of the results.

mod drawn;
mod small;

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
    for said in ["Two designs &amp; &lt;one&gt; kernel", "c0ffee", "the source quotes an average of 1.25"] {
        assert!(text.contains(said), "{said}");
    }
    let outside: Vec<&str> =
        text.split("http").skip(1).filter(|rest| !rest.contains("w3.org/2000/svg")).collect();
    assert_eq!(outside.iter().filter(|rest| rest.starts_with("://") || rest.starts_with("s://")).count(), 0);
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
fn what_is_not_measured_says_so_with_its_command() {
    let text = html(&[measured("bars", BARS, false)]).expect("a page");
    assert!(text.contains("Not measured. <code>sweep bars</code>"), "{text}");
    assert_eq!(drawn_numbers(&text), []);
}
