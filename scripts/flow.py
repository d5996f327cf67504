#!/usr/bin/env python3
"""Shows that no data reach a control output of a design, for `make flow`: non-interference, on the netlist of the top.

Data are the inputs whose names end with `_data_i`; control are all outputs but those that end with `_data_o`. Yosys, with slang, makes word-level cells of the whole top as its manifest
(rtl/<design>/design.toml) has it by default; from the data, each bit that a cell could make depend on them is followed,
through flip-flops and memories, until there are no more. A control output among them is printed with the way that leads
to it. Cells are taken for more than they do, never for less (`flow_cells.py`), so what is not reached does not depend on data
in any cycle, whatever the program: two copies that differ in data alone have equal control outputs for ever.

A module with a leak that is known, testbench/formal/flow_leak.sv, comes first: not finding it ends the command.
Results are kept in constraints/flow-kept.json under the hash of the sources and of this tool. A design whose hash is the kept one is
not followed again, with --fresh it is. --check writes nothing: every design has to have its kept result then.
Exit status: 0 nothing is reached, 1 something is, 2 a tool or a source is not right.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import sys
import tomllib

import flow_cells
import formal_solver

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / "build/flow"
TABLE = ROOT / "docs/signoff-flow.md"
KEPT = ROOT / "constraints/flow-kept.json"
LEAK = ROOT / "testbench/formal/flow_leak.sv"
MADE_BY = ("scripts/flow.py", "scripts/flow_cells.py", "scripts/formal_solver.py", "scripts/formal-tools.txt")


class FlowError(Exception):
    """What is wrong with a design's sources or result, in words."""


def designs():
    """The top and the RTL of every design by its name."""
    found = {}
    for manifest in sorted(ROOT.glob("rtl/*/design.toml")):
        try:
            design = tomllib.loads(manifest.read_text())["design"]
            top, listed = design["top"], design["sources"]
        except (tomllib.TOMLDecodeError, KeyError) as error:
            raise FlowError(f"{manifest}: {error}") from error
        sources = [os.path.normpath(manifest.parent.relative_to(ROOT) / name) for name in listed]
        values = {p["name"]: p["default"] for p in tomllib.loads(manifest.read_text()).get("parameters", [])
                  if p["kind"] == "elaborated"}
        found[manifest.parent.name] = (top, [name for name in sources if name.startswith("rtl/")], values)
    return found


def key(top, sources, values):
    """The hash of everything that a result depends on."""
    digest = hashlib.sha256(json.dumps([top, values]).encode())
    headers = {path for name in sources for path in (ROOT / name).parent.glob("*.svh")}
    for path in [*(ROOT / name for name in sources), *sorted(headers), *(ROOT / name for name in MADE_BY)]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def netlist(top, sources, values, folder):
    """The word-level cells of a top with all that is below it."""
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / f"{top}.json"
    includes = sorted({str(pathlib.Path(name).parent) for name in sources})
    generics = ["-G " + "".join(word.capitalize() for word in name.split("_")) + f"={int(value)}" for name, value in values.items()]
    read = ["read_slang", "--unroll-limit", "100000", "--top", top, *generics, *[f"-I {folder}" for folder in includes], *sources]
    formal_solver.yosys([" ".join(read), f"hierarchy -check -top {top}", "proc -noopt", "flatten", "memory_collect",
                         f"write_json {made}"], folder / "yosys.log")
    modules = json.loads(made.read_text())["modules"]
    made.unlink()
    return modules[top]


def follow(module, folder):
    """What data reach in a module: counts, and in `leaks` the control outputs among it, each with its way."""
    ports = module["ports"]
    data = {bit for name, port in ports.items() if name.endswith("_data_i") for bit in port["bits"] if isinstance(bit, int)}
    control = {name: port["bits"] for name, port in ports.items()
               if port["direction"] == "output" and not name.endswith("_data_o")}
    graph = flow_cells.Graph(module["cells"])
    reached = graph.reached(data)
    leaks = []
    for name, bits in control.items():
        hit = [place for place, bit in enumerate(bits) if bit in reached]
        if hit:
            leaks.append([f"{name}, {len(hit)} of {len(bits)} bits, such as bit {hit[0]}", *graph.way(bits[hit[0]])])
    flops, of_data, memories, memory_data = graph.state(reached)
    return {"data": len(data), "control": sum(len(bits) for bits in control.values()), "cells": len(module["cells"]), "flops": flops,
            "flops_data": of_data, "memories": memories, "memories_data": memory_data, "macros": graph.control_memories(),
            "leaks": leaks}


def checked(name, design, kept):
    """The result of a design: the kept one where nothing changed since, and whether it is that."""
    wanted = key(*design)
    if kept and kept["key"] == wanted:
        return kept, True
    return {"key": wanted, **follow(netlist(*design, OUT / name), OUT / name)}, False


def publish(path, text):
    """Writes a file whole or not at all."""
    part = path.with_suffix(f".{os.getpid()}")
    part.write_text(text)
    part.replace(path)


def leak_is_found():
    """Whether the module with a known leak has exactly that one."""
    name = LEAK.relative_to(ROOT).as_posix()
    leaks = follow(netlist(LEAK.stem, [name], {}, OUT / LEAK.stem), OUT)["leaks"]
    return [leak[0].split(",")[0] for leak in leaks] == ["late_o"]


def table(results):
    """The page of all designs."""
    lines = [
        "# What data reach", "",
        "Written by `make flow`; what it means is in [signoff.md](signoff.md). Bits; of flip-flops and memories, those that data reach.", "",
        "| Design | Data inputs | Control outputs | Cells | Flip-flops | of them data | Memories | of them data | Control outputs reached |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, r in sorted(results.items()):
        numbers = [r["data"], r["control"], r["cells"], r["flops"], r["flops_data"], r["memories"], r["memories_data"], len(r["leaks"])]
        lines.append(f"| {name} | " + " | ".join(f"{number:,}" for number in numbers) + " |")
    lines += ["", "Memory macros that hold control too, and the bits of a word that do; these are written before they are read:", ""]
    lines += [f"- {name}: `{macro}`, {bits}" for name, r in sorted(results.items()) for macro, bits in r["macros"].items()] or ["- none"]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("design", nargs="?", help="this design alone, without the page")
    parser.add_argument("--check", action="store_true", help="hold page and kept results instead of writing them")
    parser.add_argument("--fresh", action="store_true", help="follow every design anew")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="designs at a time, some 3 GB each; 2 when left out")
    options = parser.parse_args()
    os.chdir(ROOT)
    every = designs()
    if options.design and options.design not in every:
        raise FlowError(f"no design {options.design!r}; there are {', '.join(every)}")
    if not leak_is_found():
        raise FlowError(f"the leak of {LEAK.name} is not found, or another one is: nothing that is said here would be worth anything")
    chosen = [options.design] if options.design else list(every)
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    results = {}
    with concurrent.futures.ProcessPoolExecutor(options.jobs, max_tasks_per_child=1) as pool:
        waiting = {name: pool.submit(checked, name, every[name], {} if options.fresh else kept.get(name)) for name in chosen}
        for name, task in waiting.items():
            result, was_kept = task.result()
            results[name] = result
            print(f"flow: {name}{' (kept)' if was_kept else ''}: {result['data']} bits of data reach {result['flops_data']} of "
                  f"{result['flops']} flip-flops and {len(result['leaks'])} control outputs of {result['control']} bits", flush=True)
            for first, *way in result["leaks"]:
                print(f"flow:   {first}", *[f"flow:     {step}" for step in way], sep="\n")
    if any(result["leaks"] for result in results.values()):
        return 1
    if not options.design:
        files = {TABLE: table(results), KEPT: json.dumps(results, indent=1, sort_keys=True) + "\n"}
        if not options.check:
            for path, text in files.items():
                publish(path, text)
        for path, text in files.items():
            if not path.exists() or path.read_text() != text:
                raise FlowError(f"{path.relative_to(ROOT)} is not what comes out; run `make flow`")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (FlowError, flow_cells.CellError, formal_solver.ToolError, OSError, json.JSONDecodeError) as error:
        print(f"flow: {error}", file=sys.stderr)
        sys.exit(2)
