"""The kept results of `make synth` and the document that is written out of them."""

import json
import os
import re

import synth_flow
import synth_plan

ROOT = synth_flow.ROOT
KEPT = ROOT / "constraints/synth-kept.toml"
PAGE = ROOT / "docs/signoff-synth.md"


def publish(path, text):
    """Writes the file whole or not at all."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    with fresh.open("w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def value(item):
    """A number, a text or a table of numbers as TOML."""
    if isinstance(item, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {json.dumps(number)}" for key, number in item.items()) + " }"
    return json.dumps(item)


def keep(blocks, tools):
    """Writes the results of all blocks; `tools` are the versions that measured last."""
    lines = ["# Results that `make synth` holds new ones against; written by `make synth ARGS=--write`.", "", "[tools]"]
    lines += [f"{json.dumps(tool)} = {json.dumps(version)}" for tool, version in tools.items()]
    for name in sorted(blocks):
        lines += ["", f"[block.{name}]", *(f"{key} = {value(item)}" for key, item in blocks[name].items())]
    publish(KEPT, "\n".join(lines) + "\n")


def bits_of(memories):
    """Bits of the memories of a block, from names such as `sram_1rw 128 x 32`."""
    sizes = {kind: re.search(r" (\d+) x (\d+)$", kind) for kind in memories}
    return sum(count * int(sizes[kind][1]) * int(sizes[kind][2]) for kind, count in memories.items())


def row(block, found, plan):
    """The line of a block in the table."""
    budget = plan["budget"][block["budget"]]
    parameters = ", ".join(f"{key} {number}" for key, number in block.get("parameters", {}).items()) or "–"
    memories = "; ".join(f"{count} × {kind.replace(' x ', ' × ')}, {plan['memory_ports'][kind.split()[0]]}"
                         for kind, count in found["memories"].items()) or "–"
    return (f"| `{synth_plan.name_of(block)}` | {parameters} | {found['cells']} | {found['area']} | {found['flops']} "
            f"| {memories} | {bits_of(found['memories'])} | {found['path_fo4']} | `{found['start']}` | `{found['end']}` "
            f"| {budget - found['path_fo4']:.1f} of {budget} |")


def listing(title, lines):
    """A section with a list, or with the word that it is empty."""
    return ["", f"## {title}", "", *(lines or ["None."])]


def page(plan, kept):
    """docs/signoff-synth.md out of the plan and the kept results."""
    blocks = kept.get("block", {})
    tools = ", ".join(f"{tool} {version}" for tool, version in kept.get("tools", {}).items())
    measured = [block for block in plan["block"] if synth_plan.name_of(block) in blocks]
    rows = ["# Blocks, synthesized", "",
            "Written by `make synth ARGS=--write`; what the columns mean is in [signoff.md](signoff.md).", "",
            f"Measured with {tools}. {len(measured)} of {len(plan['block'])} blocks are measured. Budgets in FO4: "
            + ", ".join(f"{name} {number}" for name, number in plan["budget"].items()) + ".", "",
            "| Block | Parameters | Cells | Area, µm² | Flip-flops | Memories, rows × bits | Memory bits | Longest path, FO4 "
            "| From | To | Slack, FO4 |",
            "|---|---|---|---|---|---|---|---|---|---|---|"]
    rows += [row(block, blocks[synth_plan.name_of(block)], plan) for block in measured]
    named = [(synth_plan.name_of(block), block) for block in plan["block"]]
    for key, title in (("open", "Over the budget, open"), ("exception", "Over the budget, with a reason that stays"),
                       ("unmeasured", "Not measured"), ("reduced", "Measured with other parameters than the default's"),
                       ("elaboration", "Further elaborations")):
        rows += listing(title, [f"- `{name}`: {block[key]}" for name, block in named if key in block])
    rows += listing("Arrays of more than " f"{plan['library']['array_bits']} bits beyond the memory wrappers", [
        f"- `{name}`, `{array}`, {bits} bits: {block['arrays'].get(array, 'no reason given')}"
        for name, block in named if name in blocks and "arrays" in block for array, bits in blocks[name]["arrays"].items()])
    rows += listing("Modules of a block beside its first", [
        f"- `{name}`: {', '.join(f'`{other}`' for other in block['modules'][1:])}"
        for name, block in named if block["modules"][1:] and "elaboration" not in block])
    rows += listing("In no block", [f"- `{name}`: {reason}" for name, reason in plan["top"].items()])
    return "\n".join(rows) + "\n"
