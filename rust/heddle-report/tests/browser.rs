//! The page in a headless Chromium, wide and narrow; told and passed over where there is none.

mod small;

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::small::{both, html};

/// Names that the program has.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Looks at the page that it is part of, all details open, and tells the page around it.
const LOOK: &str = r#"<script>
document.querySelectorAll("details").forEach((one) => { one.open = true; });
const outside = (svg) => Array.from(svg.querySelectorAll("text")).filter((text) => {
  const [a, b] = [text.getBoundingClientRect(), svg.getBoundingClientRect()];
  return Math.min(a.left - b.left, a.top - b.top, b.right - a.right, b.bottom - a.bottom) + 1 < 0;
}).map((text) => text.textContent);
const drawings = Array.from(document.querySelectorAll("svg"), (svg) => ({ id: svg.id, outside: outside(svg),
  shapes: Array.from(svg.querySelectorAll("rect, circle")).filter((one) => one.getBoundingClientRect().width).length,
  small: Array.from(svg.querySelectorAll("text")).filter((t) => parseFloat(getComputedStyle(t).fontSize) < 11).length }));
const root = document.documentElement;
parent.postMessage({ over: root.scrollWidth - root.clientWidth, width: innerWidth, drawings,
  claims: Array.from(document.querySelectorAll("table.claims"), (table) => ({ id: table.id, rows: table.tBodies[0].rows.length,
    empty: Array.from(table.tBodies[0].rows).flatMap((row) => Array.from(row.cells))
      .filter((cell) => !cell.textContent.trim() || !cell.getBoundingClientRect().width).length })),
  hidden: document.querySelectorAll("button[hidden]").length }, "*");
</script>"#;

fn browser() -> Option<&'static str> {
    NAMES
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok_and(|o| o.status.success()))
}

/// What the browser sees of a page at a width.
fn seen(browser: &str, folder: &Path, page: &str, width: u32) -> Value {
    let around = format!(
        "<iframe src=\"page.html\" width=\"{width}\" height=\"900\" style=\"border:0\"></iframe><pre></pre><script>\
         addEventListener('message', (e) => {{ document.querySelector('pre').textContent = JSON.stringify(e.data); }});\
         </script>"
    );
    let looked = page.replace("</body>", &format!("{LOOK}</body>"));
    std::fs::write(folder.join("page.html"), looked).expect("writable");
    std::fs::write(folder.join("around.html"), around).expect("writable");
    let profile = format!("--user-data-dir={}", folder.join("profile").display());
    let ran = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--window-size=1400,1000"])
        .args(["--virtual-time-budget=4000", "--dump-dom", &profile])
        .arg(format!("file://{}", folder.join("around.html").display()))
        .output()
        .expect("it starts");
    let dom = String::from_utf8_lossy(&ran.stdout);
    let said = dom.split_once("<pre>").and_then(|(_, rest)| rest.split_once("</pre>")).map(|(said, _)| said);
    let said = said.unwrap_or_default().replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    serde_json::from_str(&said)
        .unwrap_or_else(|e| panic!("{e}: '{said}'\n{}", String::from_utf8_lossy(&ran.stderr)))
}

/// What is wrong with a page at a width.
fn faults(seen: &Value, width: u32) -> Vec<String> {
    let mut faults = Vec::new();
    if seen["width"] != width {
        faults.push(format!("shown {} wide", seen["width"]));
    }
    if seen["over"] != 0 {
        faults.push(format!("{} pixels too wide", seen["over"]));
    }
    if seen["hidden"] != 0 {
        faults.push(format!("{} buttons stay hidden: the script did not end", seen["hidden"]));
    }
    let claims = seen["claims"].as_array().map_or(&[][..], Vec::as_slice);
    if claims.is_empty() {
        faults.push("no table of claims".to_owned());
    }
    for one in claims {
        if one["rows"] == 0 || one["empty"] != 0 {
            faults
                .push(format!("{} has {} rows, {} cells without text", one["id"], one["rows"], one["empty"]));
        }
    }
    let drawings = seen["drawings"].as_array().map_or(&[][..], Vec::as_slice);
    if drawings.is_empty() {
        faults.push("no drawing".to_owned());
    }
    for one in drawings {
        if one["shapes"] == 0 {
            faults.push(format!("{} is empty", one["id"]));
        }
        if one["small"] != 0 || one["outside"].as_array().is_none_or(|texts| !texts.is_empty()) {
            faults
                .push(format!("{}: {} texts are small, {} are cut", one["id"], one["small"], one["outside"]));
        }
    }
    faults
}

#[test]
fn the_page_is_whole_at_every_width() {
    let Some(browser) = browser() else {
        println!("not run: no Chromium; one of {}", NAMES.join(", "));
        return;
    };
    let folder = tempfile::tempdir().expect("temporary folder");
    let page = html(&both()).expect("a page");
    for width in [1280, 400] {
        let seen = seen(browser, folder.path(), &page, width);
        assert_eq!(faults(&seen, width), Vec::<String>::new(), "at {width} pixels");
    }
    // What it looks for, it finds.
    for (from, to, fault) in [
        ("<h1>", "<h1 style=\"width: 3000px\">", "pixels too wide"),
        ("svg rect { fill", "svg rect { display: none; fill", "is empty"),
        ("svg { display: block; font: 12px", "svg { display: block; font: 6px", "texts are small"),
        ("svg { display: block; font: 12px", "svg { display: block; font: 60px", "are cut"),
        ("<td>figure 0</td>", "<td> </td>", "1 cells without text"),
        ("class=\"claims\"", "class=\"other\"", "no table of claims"),
        ("\"use strict\";", "\"use strict\"; gone();", "buttons stay hidden"),
    ] {
        assert!(page.contains(from), "{from}");
        let planted = faults(&seen(browser, folder.path(), &page.replacen(from, to, 1), 1280), 1280);
        assert!(planted.iter().any(|one| one.contains(fault)), "{to}: {planted:?}");
    }
}
