#!/usr/bin/env python3
"""Writes the table of designs in README.md, from the manifests rtl/*/design.toml and models/*/design.toml.

  scripts/designs.py            write the table
  scripts/designs.py --check    fail where it is not what the manifests say

The table stands between two comments. A row has the name and title of a design, the names of its variants, and the page
in docs/designs that is its own or names it; designs of models/ have no RTL.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
BEGIN, END = "<!-- designs: made by scripts/designs.py -->", "<!-- designs end -->"


def fail(message):
    sys.exit(f"designs: {message}")


def page(name):
    """The page about a design, from the root; None where there is none."""
    pages = sorted((ROOT / "docs/designs").glob("*.md"), key=lambda page: (page.stem != name, page.stem))
    about = (p for p in pages if p.stem == name or f"`{name}`" in p.read_text(encoding="utf-8"))
    found = next(about, None)
    return found.relative_to(ROOT) if found else None


def row(manifest):
    with manifest.open("rb") as file:
        try:
            table = tomllib.load(file)
        except tomllib.TOMLDecodeError as error:
            fail(f"{manifest}: {error}")
    name, title = table["design"]["name"], table["design"]["title"]
    variants = [v.get("alias", f"{name}-{v['name']}") for v in table.get("variants", [])]
    text = title if "top" in table["design"] else f"{title}; a cycle model without RTL"
    if variants:
        text += "; also " + ", ".join(f"`{variant}`" for variant in variants)
    if found := page(name):
        text += f" ([docs]({found}))"
    return f"| `{name}` | {text} |"


def main():
    rows = [row(manifest) for rooms in ("rtl", "models") for manifest in sorted(ROOT.glob(f"{rooms}/*/design.toml"))]
    text = README.read_text(encoding="utf-8")
    there = re.search(f"{re.escape(BEGIN)}\n.*?{re.escape(END)}", text, re.DOTALL)
    if not there:
        fail(f"README.md has no '{BEGIN}' with '{END}' behind it")
    table = "\n".join([BEGIN, "| design | what it is |", "|---|---|", *rows, END])
    if sys.argv[1:] == ["--check"]:
        if there[0] != table:
            fail("the table in README.md is not what the manifests say: run scripts/designs.py")
    elif sys.argv[1:]:
        fail("no argument or --check is expected")
    else:
        README.write_text(text[: there.start()] + table + text[there.end() :], encoding="utf-8")


if __name__ == "__main__":
    main()
