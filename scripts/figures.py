#!/usr/bin/env python3
"""Holds figures in the pages of docs/ to the golden cycles and events (rust/heddle-cosim/tests/golden_cycles).

  scripts/figures.py            write the figures into the pages
  scripts/figures.py --check    fail where a page has another figure

docs/figures.toml lists them. Each has the `page`, the `text` in which a figure stands, with {} in its place, and `values`, one
for each {}. A text stands once in its page, whatever its figures are. A value is

    QUANTITY DESIGN[/DESIGN] MEAN FORMAT

QUANTITY is `ipc`, `cycles` or the name of an event, or events with + between them. MEAN is over the kernels, those in `without`
left out: `geometric`, `median`, `least`, `most`, `sum`, or `below:X`, how many are less than X; `least` and `most` with
`-of` behind them have the kernel's name too, and a kernel's name stands for its own value. Where the first design's is divided by the second's,
kernels of which either has none are left out, and `sum` divides the sums. FORMAT is `.N` for N digits, `,` for a whole
number, `%` for per cent, `-%` for what is less by so many per cent. Two values and a minus sign between them, then the format, are
their difference; the first may be a number.
"""

import functools
import math
import re
import statistics
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "rust/heddle-cosim/tests/golden_cycles"
FIGURE = r"-?[0-9][0-9,]*(?:\.[0-9]+)?"


class FigureError(Exception):
    """A figure that cannot be had, or a page that does not have it."""


@functools.cache
def golden(design):
    """Numbers of a design by kernel and name."""
    path = GOLDEN / f"{design}.tsv"
    if not path.is_file():
        raise FigureError(f"no golden cycles of '{design}'")
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    names = next(row for row in rows if row[0] == "kernel")[1:]
    kernels = rows[rows.index(["kernel", *names]) + 1 :]
    return {row[0]: dict(zip(names, map(int, row[1:]), strict=True)) for row in kernels}


def quantity(what, numbers, design):
    if what == "ipc":
        return numbers["warp_instructions"] / numbers["cycles"]
    if missing := [name for name in what.split("+") if name not in numbers]:
        raise FigureError(f"{design} counts no {', '.join(missing)}")
    return sum(numbers[name] for name in what.split("+"))


def one(words, without):
    """The number and, where it is asked for, the kernel that has it."""
    if len(words) == 1:
        return float(words[0]), ""
    if len(words) != 3:
        raise FigureError(f"'{' '.join(words)}' is not QUANTITY DESIGN MEAN")
    what, designs, mean = words
    first, _, second = designs.partition("/")
    of = {k: quantity(what, v, first) for k, v in golden(first).items() if k not in without}
    if second:
        by = {k: quantity(what, v, second) for k, v in golden(second).items() if k in of}
        if mean == "sum":
            return sum(of[k] for k in by) / sum(by.values()), ""
        of = {k: of[k] / by[k] for k in by if by[k] and of[k]}
    if mean.startswith("below:"):
        return sum(value < float(mean[6:]) for value in of.values()), ""
    if mean.removesuffix("-of") in ("least", "most"):
        kernel = (min if mean.startswith("least") else max)(of, key=of.get)
        return of[kernel], f" {kernel}" if mean.endswith("-of") else ""
    means = {"geometric": lambda v: math.exp(statistics.fmean(map(math.log, v))), "median": statistics.median, "sum": sum}
    if mean in means:
        return means[mean](list(of.values())), ""
    if mean not in of:
        raise FigureError(f"'{mean}' is neither a mean nor a kernel")
    return of[mean], ""


def figure(text, without):
    """A value as it stands in a page."""
    *words, form = text.split()
    terms = " ".join(words).split(" - ")
    number, kernel = one(terms[0].split(), without)
    for term in terms[1:]:
        number -= one(term.split(), without)[0]
    if form == ",":
        return f"{round(number):,}{kernel}"
    if form in ("%", "-%"):
        return f"{100 * (1 - number if form == '-%' else number):.0f}{kernel}"
    if not re.fullmatch(r"\.[0-9]", form):
        raise FigureError(f"'{form}' is no format")
    return f"{number:{form}f}{kernel}"


def place(entry, page):
    """Where the text of an entry stands in its page."""
    parts = [re.escape(part) for part in entry["text"].split("{}")]
    if len(parts) - 1 != len(entry["values"]):
        raise FigureError(f"'{entry['text']}' has {len(parts) - 1} places and {len(entry['values'])} values")
    names = [" [a-z0-9-]+" if "-of " in value else "" for value in entry["values"]] + [""]
    pattern = parts[0] + "".join(f"{FIGURE}{name}{part}" for name, part in zip(names, parts[1:], strict=False))
    found = list(re.finditer(pattern, page))
    if len(found) != 1:
        raise FigureError(f"'{entry['text']}' stands {len(found)} times in {entry['page']}, not once")
    return found[0]


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit("figures: no argument or --check is expected")
    wrong = []
    entries = tomllib.loads((ROOT / "docs/figures.toml").read_text(encoding="utf-8"))["figures"]
    if not entries:
        sys.exit("figures: docs/figures.toml lists none")
    for entry in entries:
        path = ROOT / entry["page"]
        page = path.read_text(encoding="utf-8")
        try:
            values = iter([figure(value, entry.get("without", [])) for value in entry["values"]])
            at = place(entry, page)
        except FigureError as error:
            wrong.append(str(error))
            continue
        text = re.sub(r"\{\}", lambda _: next(values), entry["text"])
        if at[0] != text and sys.argv[1:]:
            wrong.append(f"{entry['page']} has '{at[0]}', the golden cycles say '{text}'")
        elif at[0] != text:
            path.write_text(page[: at.start()] + text + page[at.end() :], encoding="utf-8")
    if wrong:
        sys.exit("\n".join(f"figures: {line}" for line in wrong))
    print(f"figures: {sum(len(entry['values']) for entry in entries)} in {len({e['page'] for e in entries})} pages are those of the golden cycles")


if __name__ == "__main__":
    main()
