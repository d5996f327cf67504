#!/usr/bin/env python3
"""Draws docs/diagrams/ltrf-prefetch.svg: one prefetch of ltrf, from a waveform.

    scripts/prefetch.py [WAVEFORM.vcd]

Without a waveform it runs vectoradd in a co-simulation and takes the first prefetch during which the design does
nothing else for another warp's slot. Rows of the picture are signals of the waveform, one column a cycle.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "docs" / "diagrams" / "ltrf-prefetch.svg"
PREFETCH = 6
CYCLES = 3000
SLOTS = 8
# Row, signal, its bits; a raster has a line for each bank.
RASTERS = [
    ("main banks: occupied", "ltrf_top.bank_busy[0]", "busy"),
    ("lanes to the cache: beats", "ltrf_top.outbound_beat", "beat"),
    ("cache banks: fills", "ltrf_top.fill", "fill"),
]
BANKS = 16
PORT = [
    "command_i.valid",
    "command_i.op",
    "command_i.warp",
    "command_i.interval",
    "command_ready_o",
    "done_o.valid",
    "done_o.op",
    "done_o.warp",
]
SLOT = [f"ltrf_top.slots[{n}].{field}" for n in range(SLOTS) for field in ("warp", "state")]
SIGNALS = [*PORT, *SLOT, "ltrf_top.allocate", "ltrf_top.allocate_slot", *(signal for _, signal, _ in RASTERS)]
# Cycles before and after, and sizes.
BEFORE, AFTER = 2, 3
CELL, LEFT, TOP, LINE = 24, 214, 84, 4
STYLE = """
  text { font: 12px system-ui, "DejaVu Sans", sans-serif; fill: #1c2733; }
  .title { font-size: 15px; font-weight: 600; } .note { font-size: 11px; fill: #44586b; }
  .step { font-size: 11px; font-weight: 600; fill: #ffffff; } .dot { fill: #b3452c; }
  .paper { fill: #ffffff; } .grid { stroke: #e3e8ed; } .frame { fill: none; stroke: #c3cdd6; }
  .command { fill: #3a6ea5; } .done { fill: #3c8a5a; } .slot { fill: #d9c6ec; stroke: #7a5aa0; }
  .fetch { fill: #3a6ea5; } .busy { fill: #d9953f; } .beat { fill: #7a5aa0; } .fill { fill: #3c8a5a; }
  .white { fill: #ffffff; font-size: 10px; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .note { fill: #a8b8c7; } .paper { fill: #12181f; } .grid { stroke: #232c36; }
    .frame { stroke: #3a4753; } .slot { fill: #3f2f55; }
  }
"""


def read(path):
    """The values of the signals in each cycle: those at its end."""
    codes, scope, history, now = {}, [], {}, {}
    with open(path, encoding="ascii") as lines:
        for line in lines:
            words = line.split()
            if not words:
                continue
            if words[0] == "$scope":
                scope.append(words[2])
            elif words[0] == "$upscope":
                scope.pop()
            elif words[0] == "$var":
                codes[".".join([*scope, words[4]])] = words[3]
            elif words[0] == "$enddefinitions":
                break
        missing = [name for name in SIGNALS if f"TOP.{name}" not in codes]
        if missing:
            sys.exit(f"prefetch: {path} has no signal {', '.join(missing)}")
        wanted = {codes[f"TOP.{name}"] for name in SIGNALS}
        time = 0

        def keep():
            history[time // 1000] = {name: now.get(codes[f"TOP.{name}"], 0) for name in SIGNALS}

        for line in lines:
            if line[0] == "#":
                keep()
                time = int(line[1:])
            elif line[0] == "b":
                value, code = line[1:].split()
                if code in wanted:
                    now[code] = int(value, 2)
            elif line[0] in "01" and line[1:].strip() in wanted:
                now[line[1:].strip()] = int(line[0])
        keep()
    return history


def prefetches(history):
    """First cycle, last cycle, warp and interval of each prefetch."""
    begun, found = {}, []
    for cycle in sorted(history):
        row = history[cycle]
        if row["command_i.valid"] and row["command_ready_o"] and row["command_i.op"] == PREFETCH:
            begun[row["command_i.warp"]] = (cycle, row["command_i.interval"])
        if row["done_o.valid"] and row["done_o.op"] == PREFETCH and row["done_o.warp"] in begun:
            first, interval = begun.pop(row["done_o.warp"])
            found.append((first, cycle, row["done_o.warp"], interval))
    return found


def alone(history):
    """The first prefetch that no other overlaps, and its slot."""
    found = prefetches(history)
    for first, last, warp, interval in found:
        if any(other != (first, last, warp, interval) and other[0] <= last and first <= other[1] for other in found):
            continue
        for slot in range(SLOTS):
            if history[last - 1][f"ltrf_top.slots[{slot}].warp"] == warp:
                fetches = [
                    c
                    for c in range(first, last + 1)
                    if history[c]["ltrf_top.allocate"] and history[c]["ltrf_top.allocate_slot"] == slot
                ]
                if fetches:
                    return first, last, warp, interval, slot, fetches
    sys.exit("prefetch: the waveform has no prefetch that is alone")


def svg(history, kernel):
    first, last, warp, interval, slot, fetches = alone(history)
    cycles = [c for c in range(first - BEFORE, last + AFTER + 1) if c in history]
    x = lambda cycle: LEFT + (cycle - cycles[0]) * CELL
    width = x(cycles[-1] + 1) + 20
    out, y = [], TOP

    def label(text, at):
        out.append(f'<text x="{LEFT - 10}" y="{at}" text-anchor="end">{text}</text>')

    def bar(css, begin, end, at, text=""):
        out.append(
            f'<rect class="{css}" x="{x(begin) + 1}" y="{at}" width="{(end - begin) * CELL - 2}" height="16" rx="3"/>'
        )
        if text:
            white = "" if css == "slot" else ' class="white"'
            out.append(f'<text{white} x="{x(begin) + 6}" y="{at + 12}">{text}</text>')

    def step(number, cycle, at):
        out.append(f'<circle class="dot" cx="{x(cycle) + CELL / 2}" cy="{at}" r="8"/>')
        out.append(f'<text class="step" x="{x(cycle) + CELL / 2}" y="{at + 4}" text-anchor="middle">{number}</text>')

    rows = {"command": y, "slot": y + 30, "fetch": y + 60}
    label("command", rows["command"] + 13)
    bar("command", first, first + 1, rows["command"])
    step(1, first - 1, rows["command"] + 8)
    label(f"slot {slot}", rows["slot"] + 13)
    state = f"ltrf_top.slots[{slot}].state"
    swap = [c for c in cycles if first < c <= last and history[c][state] == history[last - 1][state]]
    bar("slot", swap[0], swap[-1] + 1, rows["slot"], f"swap: warp {warp}, interval {interval}")
    label("registers decoded", rows["fetch"] + 13)
    for cycle in fetches:
        bar("fetch", cycle, cycle + 1, rows["fetch"])
    step(2, fetches[0] - 1, rows["fetch"] + 8)
    y += 96
    tops = {}
    for name, signal, css in RASTERS:
        tops[css] = y
        label(name, y + BANKS * LINE / 2 + 4)
        for cycle in cycles:
            for bank in range(BANKS):
                if history[cycle][signal] >> bank & 1:
                    out.append(f'<rect class="{css}" x="{x(cycle) + 1}" y="{y + bank * LINE}" width="{CELL - 2}" height="{LINE - 1}"/>')
        out.append(f'<rect class="frame" x="{LEFT}" y="{y - 2}" width="{x(cycles[-1] + 1) - LEFT}" height="{BANKS * LINE + 3}"/>')
        y += BANKS * LINE + 16
    label("done", y + 13)
    bar("done", last, last + 1, y)
    # The shortest time that a bank is occupied is that of one access; write-backs of earlier commands may follow a fetch at once.
    busy = ["".join("01"[history[c]["ltrf_top.bank_busy[0]"] >> bank & 1] for c in cycles) for bank in range(BANKS)]
    occupied = min(len(run) for bank in busy for run in bank.strip("1").split("0") if run)
    during = lambda signal: [c for c in cycles if fetches[0] <= c <= last and history[c][signal]]
    beats, fills = during("ltrf_top.outbound_beat"), during("ltrf_top.fill")
    # What earlier commands still send is not of this prefetch: a beat needs an access before it.
    beats = [c for c in beats if c > fetches[0] + occupied]
    fills = [c for c in fills if c > beats[0]]
    step(3, fetches[0], tops["busy"] + BANKS * LINE - 6)
    step(4, beats[0] - 1, tops["beat"] + BANKS * LINE / 2)
    step(5, fills[0] - 1, tops["fill"] + BANKS * LINE / 2)
    step(6, last - 1, y + 8)
    bottom = y + 24
    grid = [f'<line class="grid" x1="{x(c)}" x2="{x(c)}" y1="{TOP - 8}" y2="{bottom}"/>' for c in [*cycles, cycles[-1] + 1]]
    ticks = [
        f'<text class="note" x="{x(c) + CELL / 2}" y="{TOP - 14}" text-anchor="middle">{c - first}</text>' for c in cycles
    ]
    registers = sum(history[c]["ltrf_top.allocate"].bit_count() for c in fetches)
    notes = [
        f"1  The SM asks for interval {interval} of warp {warp}; the warp does not issue until the end.",
        f"2  The engine compares working set and cache, and decodes {registers} registers; cycles that it takes: {len(fetches)}.",
        f"3  Each main bank is occupied for {occupied} cycles an access; the banks work side by side.",
        "4  A register comes over a lane of 256 bits in four beats.",
        "5  The last beat fills the register's cache bank.",
        f"6  After {last - first} cycles the prefetch is done: every operand of the interval is in the cache.",
    ]
    texts = [f'<text x="16" y="{bottom + 26 + 18 * n}">{note}</text>' for n, note in enumerate(notes)]
    height = bottom + 26 + 18 * len(notes)
    title = f"A prefetch of ltrf: {kernel}, cycles {first} to {last}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
            f"<title>{title}</title>",
            f"<style>{STYLE}</style>",
            f'<rect class="paper" width="{width}" height="{height}"/>',
            f'<text class="title" x="16" y="26">{title}</text>',
            f'<text class="note" x="16" y="44">from the waveform of a co-simulation; a column is a cycle, a line of a raster a bank</text>',
            *grid,
            *ticks,
            *out,
            *texts,
            "</svg>",
            "",
        ]
    )


def main(arguments):
    if arguments:
        OUT.write_text(svg(read(arguments[0]), Path(arguments[0]).stem))
        return
    with tempfile.TemporaryDirectory() as folder:
        command = ["target/release/heddle", "cosim", "--design", "ltrf", "--kernel", "vectoradd", "--quiet"]
        command += ["--waves", "vcd", "--waves-cycles", str(CYCLES), "--results", folder]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"prefetch: {' '.join(command)}: {done.stderr.strip()}")
        (waveform,) = Path(folder).glob("*.vcd")
        OUT.write_text(svg(read(waveform), "vectoradd"))


if __name__ == "__main__":
    main(sys.argv[1:])
