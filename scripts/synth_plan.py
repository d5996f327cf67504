"""What constraints/synth.toml says, held against the modules of rtl/ and against measured results."""

import pathlib
import tomllib

import synth_flow

ROOT = synth_flow.ROOT
PLAN = ROOT / "constraints/synth.toml"
BLOCK_KEYS = {"name", "design", "budget", "modules", "parameters", "reduced", "elaboration", "replicated", "arrays", "open",
              "exception", "seconds", "unmeasured"}


def load(path):
    """A TOML file, or the end of the program."""
    try:
        return tomllib.loads(pathlib.Path(path).read_text())
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise SystemExit(f"synth: {path}: {error}") from None


def name_of(block):
    """What a block is called: its first module, unless it is a further elaboration of one."""
    return block.get("name", block["modules"][0])


def faults_of(plan, there):
    """What is wrong with the plan: modules in no block or in two, names that are none, keys that are not known."""
    where = PLAN.relative_to(ROOT)
    listed = [name for block in plan["block"] if "elaboration" not in block for name in block["modules"]]
    listed += list(plan["memory_ports"]) + list(plan["top"])
    faults = [f"{there[n][0]}: module {n} is in no block of {where} and no top" for n in there if n not in listed]
    faults += [f"{where}: module {n} is in more than one place" for n in sorted(set(listed)) if listed.count(n) > 1]
    faults += [f"{where}: {n} is no module of rtl/" for n in listed if n not in there]
    names = [name_of(block) for block in plan["block"]]
    faults += [f"{where}: more than one block is {n}" for n in sorted(set(names)) if names.count(n) > 1]
    for block in plan["block"]:
        name = name_of(block)
        if unknown := set(block) - BLOCK_KEYS:
            faults.append(f"{where}: {name} has unknown keys {sorted(unknown)}; known are {sorted(BLOCK_KEYS)}")
        if block["budget"] not in plan["budget"]:
            faults.append(f"{where}: {name} has the budget {block['budget']}; expected one of {sorted(plan['budget'])}")
        if ("parameters" in block) != ("reduced" in block or "elaboration" in block):
            faults.append(f"{where}: {name}: `parameters` other than the default's and their reason, in `reduced` or in "
                          "`elaboration`, go together")
        if ("name" in block) != ("elaboration" in block):
            faults.append(f"{where}: {name}: a further `elaboration` has a `name`, and no other block has one")
        if "open" in block and "exception" in block:
            faults.append(f"{where}: {name} is `open` or an `exception`, not both")
        if (first := block["modules"][0]) in there:
            outside = set(block["modules"]) & set(there) - synth_flow.below(first, there)
            faults += [f"{where}: {other} is no part of the block {name}" for other in sorted(outside)]
    return faults


def judge(block, found, plan):
    """What of a result breaks the rules of a block, whatever was measured before."""
    budget, faults = plan["budget"][block["budget"]], []
    reasons, arrays = block.get("arrays", {}), found["arrays"]
    faults += [f"array {name} of {arrays[name]} bits is no memory wrapper and has no reason in `arrays`"
               for name in sorted(set(arrays) - set(reasons))]
    faults += [f"`arrays` has a reason for {name}, which has no more than {plan['library']['array_bits']} bits"
               for name in sorted(set(reasons) - set(arrays))]
    if block.get("replicated", {}) != found.get("replicated", {}):
        faults.append("`replicated` is not what the arrays were counted with: measure the block again")
    if found["latches"]:
        faults.append(f"{found['latches']} latches")
    if found["hold_slack_ns"] < 0:
        faults.append(f"hold or removal is missed by {-found['hold_slack_ns']:.3f} ns")
    listed = next((key for key in ("open", "exception") if key in block), None)
    if found["path_fo4"] > budget and not listed:
        faults.append(f"path of {found['path_fo4']} FO4 from {found['start']} to {found['end']} is over the budget of "
                      f"{budget}, and neither `open` nor `exception` gives a reason")
    if found["path_fo4"] <= budget and listed:
        faults.append(f"path of {found['path_fo4']} FO4 is within the budget of {budget}: `{listed}` must go")
    return faults


def compare(found, kept, library):
    """What is worse than the kept result by more than is allowed, and words about what is better."""
    faults, better = [], []
    for key, percent in (("area", library["area_percent"]), ("path_fo4", library["path_percent"])):
        change = 100 * (found[key] / kept[key] - 1) if kept[key] else 0.0
        if change > percent:
            faults.append(f"{key} {found[key]} is {change:.1f} % worse than the kept {kept[key]}")
        elif change < 0:
            better.append(f"{key} {found[key]} is {-change:.1f} % better than the kept {kept[key]}")
    return faults, better
