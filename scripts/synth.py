#!/usr/bin/env python3
"""The blocks of the RTL through yosys and OpenSTA: area, memories, longest path; `make synth`.

Blocks are data of constraints/synth.toml: each module of rtl/ is in exactly one, is a memory wrapper or is a top;
further elaborations of it are blocks of their own. A result is held against the rules of its block and against the kept one of constraints/synth-kept.toml; --write keeps
it instead and writes docs/signoff-synth.md. --check measures nothing and needs no tools: it holds the list of modules,
the kept results and that document against each other.
Exit status: 0 all hold or the tools cannot be had here, 1 something does not, 2 a tool does not run.
"""

import argparse
import concurrent.futures
import subprocess
import sys

import synth_flow
import synth_page
import synth_plan

ROOT = synth_flow.ROOT


def attempt(block, plan, there):
    """The result of a block, or what went wrong."""
    try:
        return synth_flow.measure(block, plan, there), []
    except synth_flow.Fault as fault:
        return None, [str(fault)]


def run(chosen, plan, there, asked):
    """Measures blocks; gives the faults. With --write, each result is kept as soon as it is there."""
    kept = synth_plan.load(synth_page.KEPT) if synth_page.KEPT.exists() else {}
    blocks, tools, faults = kept.get("block", {}), synth_flow.versions(), []
    if kept and kept["tools"] != tools:
        print(f"synth: kept results are of {kept['tools']}, this is {tools}")
    with concurrent.futures.ThreadPoolExecutor(max(1, asked.jobs)) as pool:
        for block, (found, wrong) in zip(chosen, pool.map(lambda block: attempt(block, plan, there), chosen)):
            name = synth_plan.name_of(block)
            better = []
            if found:
                print(f"synth: {name}: {found['cells']} cells, {found['area']} µm², {found['flops']} flip-flops, "
                      f"{found['path_fo4']} FO4 of {plan['budget'][block['budget']]}", flush=True)
                wrong += synth_plan.judge(block, found, plan)
                if asked.write:
                    blocks[name] = found
                    synth_page.keep(blocks, tools)
                elif name in blocks:
                    worse, better = synth_plan.compare(found, blocks[name], plan["library"])
                    wrong += worse
                else:
                    wrong.append("no kept result: ARGS=--write keeps this one")
            for words in better:
                print(f"synth: {name}: {words}")
            faults += [f"{name}: {fault}" for fault in wrong]
    return faults


def check(plan, there):
    """Faults of kept results and of the document; says which results are of other RTL than there is now."""
    kept = synth_plan.load(synth_page.KEPT)
    faults, old = [], []
    named = {synth_plan.name_of(block): block for block in plan["block"]}
    where = synth_page.KEPT.relative_to(ROOT)
    faults += [f"{where}: {name} is no block" for name in kept["block"] if name not in named]
    for name, block in named.items():
        if (name in kept["block"]) == ("unmeasured" in block):
            faults.append(f"{name}: either a result in {where} or `unmeasured` with the reason, and not both")
        elif name in kept["block"]:
            faults += [f"{name}: {fault}" for fault in synth_plan.judge(block, kept["block"][name], plan)]
            try:
                old += [name] if synth_flow.fingerprint(block, there) != kept["block"][name]["made_of"] else []
            except synth_flow.Fault as fault:
                faults.append(f"{name}: {fault}")
    if old:
        print(f"synth: changed since measured: {', '.join(old)}")
    if not synth_page.PAGE.exists() or synth_page.PAGE.read_text() != synth_page.page(plan, kept):
        faults.append(f"{synth_page.PAGE.relative_to(ROOT)} is not what {where} gives: run `make synth ARGS=--write`")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("blocks", nargs="*", metavar="BLOCK", help="only these blocks, by name: the first module, where the plan gives none")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="blocks at a time (2)")
    parser.add_argument("--write", action="store_true", help="keep what comes out and write docs/signoff-synth.md")
    parser.add_argument("--check", action="store_true", help="measure nothing; hold what is kept")
    asked = parser.parse_args()
    plan, there = synth_plan.load(synth_plan.PLAN), synth_flow.modules()
    named = {synth_plan.name_of(block): block for block in plan["block"]}
    for name in asked.blocks:
        if name not in named:
            raise SystemExit(f"synth: there is no block {name}; expected one of {', '.join(sorted(named))}")
    faults = synth_plan.faults_of(plan, there)
    if not faults and not asked.check:
        tools = subprocess.run([ROOT / "scripts/tools.sh", "synth"], check=False)
        if tools.returncode == 77:
            return 0
        if tools.returncode:
            return 2
        chosen = [named[name] for name in asked.blocks] or [b for b in plan["block"] if "unmeasured" not in b]
        faults += run(chosen, plan, there, asked)
        if asked.write:
            synth_page.publish(synth_page.PAGE, synth_page.page(plan, synth_plan.load(synth_page.KEPT)))
    if not faults:
        faults += check(plan, there)
    for fault in faults:
        print(f"synth: {fault}", file=sys.stderr)
    if not faults:
        print(f"synth: {len(plan['block'])} blocks and {len(plan['top'])} tops hold {len(there)} modules")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
