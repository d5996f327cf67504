#!/usr/bin/env python3
"""Runs docs/examples/results.ipynb, for `make notebook`: its code cells in order, in one namespace, without Jupyter.

The argument is the results folder, which has to hold a sweep of experiments/osm-cache.toml. The bars that the notebook
draws are held against ratios that are computed here from results.jsonl, without pandas. Python and its packages are those
that scripts/tools.sh put into build/tools/notebook.

Exit status: 0 the figure is right, 1 it is not or a cell fails, 2 something is missing.
"""

import glob
import json
import math
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOK = ROOT / "docs/examples/results.ipynb"
EXPERIMENT = "osm-cache"
TOLERANCE = 1e-9  # of a ratio of two numbers that are read from text


def fail(status, text):
    print(f"notebook: {text}", file=sys.stderr)
    sys.exit(status)


def ratios(results):
    """IPC by IPC of the baseline on the same kernel, by kernel and name of the point in the figure's legend."""
    path = results / "sweep" / EXPERIMENT / "results.jsonl"
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    except OSError as error:
        fail(2, f"cannot read {path}: {error.strerror}; expected a sweep of experiments/{EXPERIMENT}.toml")
    baseline = {row["kernel"]: row["ipc"] for row in rows if row["series"] == "baseline"}
    if not baseline:
        fail(2, f"{path} has no result of the series 'baseline'")
    return {(row["kernel"], point(row)): row["ipc"] / baseline[row["kernel"]] for row in rows}


def point(row):
    """The name of a point: its series, and the size of its cache where that is swept."""
    size = row["sweep"].get("shared_memory.cache_bytes")
    return row["series"] if size is None else f"{row['series']} {int(size) // 1024} KiB"


def drawn(axes):
    """Height of each bar, by the label of its group and the name of its series."""
    groups = [label.get_text() for label in axes.get_xticklabels()]
    return {
        (group, series.get_label()): float(bar.get_height())
        for series in axes.containers
        for group, bar in zip(groups, series.patches)
    }


def cells():
    """Number and source of each code cell; a cell that keeps outputs is refused: they would be of another run."""
    for number, cell in enumerate(json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"], start=1):
        if cell["cell_type"] != "code":
            continue
        if cell["outputs"] or cell["execution_count"] is not None:
            fail(1, f"cell {number} of {NOTEBOOK.name} keeps outputs; clear them")
        yield number, "".join(cell["source"])


def main():
    if len(sys.argv) != 2:
        fail(2, "usage: notebook.py RESULTS")
    results = Path(sys.argv[1]).resolve()
    tools = Path(os.environ.get("HEDDLE_TOOLS", ROOT / "build/tools"))
    sys.path[:0] = glob.glob(str(tools / "notebook/lib/python*/site-packages"))
    os.environ["HEDDLE_RESULTS"] = str(results)
    os.environ["MPLBACKEND"] = "agg"
    expected = ratios(results)
    names = {}
    for number, source in cells():
        try:
            exec(compile(source, f"{NOTEBOOK.name}, cell {number}", "exec"), names)
        except Exception as error:  # whatever a cell raises is told with its place
            fail(1, f"cell {number} of {NOTEBOOK.name} fails: {type(error).__name__}: {error}")
    if "axes" not in names:
        fail(1, f"{NOTEBOOK.name} leaves no 'axes' with a figure")
    bars = drawn(names["axes"])
    if bars.keys() != expected.keys():
        fail(1, f"bars and results differ: {sorted(bars.keys() ^ expected.keys())} are in one of them only")
    for place, ratio in expected.items():
        if not math.isclose(bars[place], ratio, rel_tol=TOLERANCE):
            fail(1, f"the bar {place} is {bars[place]} high; expected {ratio}, from results.jsonl")
    print(f"notebook: {len(bars)} bars equal the ratios of results.jsonl")


main()
