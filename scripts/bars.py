#!/usr/bin/env python3
"""Draws docs/results.svg: instructions per cycle of each design, relative to baseline on the same SM.

    scripts/bars.py [--size smoke|small] [--program target/release/heddle]

Runs `heddle sim` on all kernels: each design on the SM of its own paper, and baseline on each of these SMs. A bar is the
geometric mean over the kernels, a line goes from the lowest to the highest of them. Cycles follow from program,
preset and design, so the same tree draws the same picture.
"""

import argparse
import json
import math
import subprocess
import sys
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LEFT, WIDTH, ROW, TOP = 132, 560, 30, 58
STYLE = """
  text { font: 12px system-ui, "DejaVu Sans", sans-serif; fill: #1c2733; }
  .title { font-size: 15px; font-weight: 600; } .note { font-size: 11px; fill: #44586b; }
  .paper { fill: #ffffff; } .bar { fill: #6fa3d8; } .one { stroke: #1c2733; stroke-width: 1.2; }
  .grid { stroke: #d7dee5; } .range { stroke: #1c4a78; stroke-width: 1.4; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .note { fill: #a8b8c7; } .paper { fill: #12181f; } .bar { fill: #37689a; }
    .one { stroke: #e6edf3; } .grid { stroke: #2b3641; } .range { stroke: #a9cdf0; }
  }
"""


def runs(program, design, size, preset=None):
    """Rows of a design by kernel."""
    command = [program, "sim", "--design", design, "--size", size, "--format", "json", "--quiet"]
    command += ["--preset", preset] if preset else []
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    if done.returncode != 0:
        sys.exit(f"bars: {' '.join(command)}: {done.stderr.strip()}")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return {row["kernel"]: row for row in rows}


def measured(program, size):
    """For each design its preset and its ratios by kernel."""
    names = sorted(p.parent.name for p in (ROOT / "rtl").glob("*/design.toml"))
    base, result = {}, []
    for design in (n for n in names if n != "baseline"):
        rows = runs(program, design, size)
        presets = {row["preset"] for row in rows.values()}
        if len(presets) != 1:
            sys.exit(f"bars: {design} has runs on several SMs: {sorted(presets)}")
        preset = presets.pop()
        if preset not in base:
            base[preset] = runs(program, "baseline", size, preset)
        common = sorted(rows.keys() & base[preset].keys())
        if not common:
            sys.exit(f"bars: {design} and baseline have no kernel in common")
        ratios = {kernel: rows[kernel]["ipc"] / base[preset][kernel]["ipc"] for kernel in common}
        result.append((design, preset, ratios))
    return result


def svg(result, size):
    most = max(max(ratios.values()) for _, _, ratios in result)
    step = 0.25 if most <= 2 else 0.5
    scale = math.ceil(most / step) * step
    x = lambda value: LEFT + value / scale * WIDTH
    height = TOP + ROW * len(result) + 34
    kernels = {len(ratios) for _, _, ratios in result}
    counted = f"{min(kernels)}" if len(kernels) == 1 else f"{min(kernels)} to {max(kernels)}"
    title = "Instructions per cycle, relative to baseline on the same preset"
    note = f"geometric mean of {counted} kernels in size {size}; the line goes from the lowest kernel to the highest"
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 90} {height}" '
        f'width="{LEFT + WIDTH + 90}" height="{height}" role="img">',
        f"<title>{title}</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{LEFT + WIDTH + 90}" height="{height}"/>',
        f'<text class="title" x="16" y="24">{title}</text>',
        f'<text class="note" x="16" y="42">{escape(note)}</text>',
    ]
    bottom = TOP + ROW * len(result)
    for tick in range(round(scale / step) + 1):
        value = tick * step
        css = "one" if value == 1 else "grid"
        out.append(f'<line class="{css}" x1="{x(value):.1f}" x2="{x(value):.1f}" y1="{TOP - 6}" y2="{bottom}"/>')
        out.append(f'<text class="note" x="{x(value):.1f}" y="{bottom + 16}" text-anchor="middle">{value:g}</text>')
    for row, (design, preset, ratios) in enumerate(result):
        y = TOP + row * ROW
        mean = math.exp(sum(math.log(r) for r in ratios.values()) / len(ratios))
        low, high = min(ratios.values()), max(ratios.values())
        out += [
            f'<text x="16" y="{y + 16}">{escape(design)}</text>',
            f'<text class="note" x="{LEFT - 8}" y="{y + 16}" text-anchor="end">{escape(preset)}</text>',
            f'<rect class="bar" x="{LEFT}" y="{y + 4}" width="{x(mean) - LEFT:.1f}" height="{ROW - 12}"/>',
            f'<line class="range" x1="{x(low):.1f}" x2="{x(high):.1f}" y1="{y + 13}" y2="{y + 13}"/>',
            f'<text x="{LEFT + WIDTH + 16}" y="{y + 17}">{mean:.2f}</text>',
        ]
    return "\n".join([*out, "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", default="smoke", choices=["smoke", "small"])
    parser.add_argument("--program", default="target/release/heddle")
    parser.add_argument("--out", default=ROOT / "docs" / "results.svg", type=Path)
    options = parser.parse_args()
    options.out.write_text(svg(measured(options.program, options.size), options.size))


if __name__ == "__main__":
    main()
