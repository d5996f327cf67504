#!/usr/bin/env python3
"""Block diagrams: docs/diagrams/<design>.toml to <design>.svg beside it.

    scripts/diagrams.py [--check] [DESIGN...]

Without names, all. `--check` writes nothing and fails where a picture is not what its source says. What a box calls
by a name with underscores is a module of rtl/; any other such name is an error.

A source has a title, boxes and arrows. A box lies on a grid: `at` and `size` are columns and rows; its kind is
`port`, `logic` (the default) or `memory`; its text's first line is bold. An arrow goes from box to box; `leave` and
`enter` are sides (left, right, top, bottom), `shift` moves its ends along them, `bend` its corner between them (0 to
1), in both cases where the default is not clear to read.
"""

import re
import sys
import tomllib
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "diagrams"
MODULE = re.compile(r"\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b")
CELL = (96, 34)
MARGIN = 16
TITLE = 30
STYLE = """
  text { font: 12px system-ui, "DejaVu Sans", sans-serif; fill: #1c2733; }
  .title { font-size: 15px; font-weight: 600; }
  .head { font-weight: 600; }
  .note { font-size: 11px; fill: #44586b; }
  .paper { fill: #ffffff; }
  rect.port { fill: #f1f3f5; stroke: #8595a5; }
  rect.logic { fill: #e3eefa; stroke: #3a6ea5; }
  rect.memory { fill: #fbead0; stroke: #b5762a; }
  path { fill: none; stroke: #44586b; stroke-width: 1.4; }
  marker path { fill: #44586b; stroke: none; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .note { fill: #a8b8c7; } .paper { fill: #12181f; }
    rect.port { fill: #222a33; } rect.logic { fill: #17304a; } rect.memory { fill: #46331a; }
    path { stroke: #a8b8c7; } marker path { fill: #a8b8c7; }
  }
"""
KINDS = {"port", "logic", "memory"}
NORMALS = {"left": (-1, 0), "right": (1, 0), "top": (0, -1), "bottom": (0, 1)}


class Box:
    """A box in pixels."""

    def __init__(self, source):
        self.name, self.kind = source["name"], source.get("kind", "logic")
        if self.kind not in KINDS:
            raise ValueError(f"box {self.name}: kind {self.kind} is none of {sorted(KINDS)}")
        (column, row), (columns, rows) = source["at"], source.get("size", [2, 1])
        self.x, self.y = MARGIN + column * CELL[0], TITLE + MARGIN + row * CELL[1]
        self.w, self.h = columns * CELL[0] - 22, rows * CELL[1] - 8
        self.lines = source.get("text", self.name).split("\n")

    def side(self, side, shift):
        """The middle of a side, moved along it by `shift` pixels."""
        x, y = self.x + self.w / 2, self.y + self.h / 2
        if side in ("left", "right"):
            return (self.x if side == "left" else self.x + self.w, y + shift)
        return (x + shift, self.y if side == "top" else self.y + self.h)

    def svg(self):
        out = [f'<rect class="{self.kind}" x="{self.x}" y="{self.y}" width="{self.w}" height="{self.h}" rx="4"/>']
        top = self.y + self.h / 2 - 7.5 * (len(self.lines) - 1) + 4
        for number, line in enumerate(self.lines):
            css = "head" if number == 0 else "note"
            out.append(
                f'<text class="{css}" x="{self.x + self.w / 2:g}" y="{top + 15 * number:g}" '
                f'text-anchor="middle">{escape(line)}</text>'
            )
        return out


def sides(a, b):
    """The sides that face each other."""
    if b.x >= a.x + a.w:
        return "right", "left"
    if b.x + b.w <= a.x:
        return "left", "right"
    return ("bottom", "top") if b.y >= a.y + a.h else ("top", "bottom")


def arrow(source, boxes):
    for end in ("from", "to"):
        if source[end] not in boxes:
            raise ValueError(f"an arrow names the box '{source[end]}', which is not there")
    a, b = boxes[source["from"]], boxes[source["to"]]
    leave, enter = sides(a, b)
    leave, enter = source.get("leave", leave), source.get("enter", enter)
    shift = source.get("shift", [0, 0])
    (x0, y0), (x1, y1) = a.side(leave, shift[0]), b.side(enter, shift[1])
    along = NORMALS[leave][0] != 0, NORMALS[enter][0] != 0
    bend = source.get("bend", 0.5)
    if along == (True, True) and y0 != y1:
        middle = x0 + (x1 - x0) * bend
        points = [(x0, y0), (middle, y0), (middle, y1), (x1, y1)]
    elif along == (False, False) and x0 != x1:
        middle = y0 + (y1 - y0) * bend
        points = [(x0, y0), (x0, middle), (x1, middle), (x1, y1)]
    elif along == (True, False):
        points = [(x0, y0), (x1, y0), (x1, y1)]
    elif along == (False, True):
        points = [(x0, y0), (x0, y1), (x1, y1)]
    else:
        points = [(x0, y0), (x1, y1)]
    path = "M" + " L".join(f"{x:g},{y:g}" for x, y in points)
    start = ' marker-start="url(#back)"' if source.get("both") else ""
    out = [f'<path d="{path}" marker-end="url(#head)"{start}/>']
    if "text" in source:
        # On the longest piece.
        pieces = list(zip(points, points[1:]))
        (xa, ya), (xb, yb) = max(pieces, key=lambda p: abs(p[0][0] - p[1][0]) + abs(p[0][1] - p[1][1]))
        x, y = (xa + xb) / 2, (ya + yb) / 2
        if ya == yb:
            place = f'x="{x:g}" y="{y - 5:g}" text-anchor="middle"'
        else:
            place = f'x="{x + 5:g}" y="{y + 4:g}"'
        out.append(f'<text class="note" {place}>{escape(source["text"])}</text>')
    return out


def svg(source):
    boxes = {}
    for entry in source["box"]:
        box = Box(entry)
        if box.name in boxes:
            raise ValueError(f"two boxes are called '{box.name}'")
        boxes[box.name] = box
    width = max(b.x + b.w for b in boxes.values()) + MARGIN
    height = max(b.y + b.h for b in boxes.values()) + MARGIN
    arrows = [line for entry in source.get("arrow", []) for line in arrow(entry, boxes)]
    body = [line for box in boxes.values() for line in box.svg()]
    head = (
        '<marker id="{}" viewBox="0 0 8 8" refX="{}" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="{}"/></marker>'
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            'role="img">',
            f'<title>{escape(source["title"])}</title>',
            f"<style>{STYLE}</style>",
            "<defs>" + head.format("head", 7, "M0,0 L8,4 L0,8 Z") + head.format("back", 1, "M8,0 L0,4 L8,8 Z") + "</defs>",
            f'<rect class="paper" width="{width}" height="{height}"/>',
            f'<text class="title" x="{MARGIN}" y="{MARGIN + 10}">{escape(source["title"])}</text>',
            *arrows,
            *body,
            "</svg>",
            "",
        ]
    )


def unknown(source, modules):
    """Names in the boxes of a source that no module has."""
    texts = [box.get("text", box["name"]) for box in source["box"]]
    return [name for text in texts for name in MODULE.findall(text) if name not in modules]


def main(arguments):
    check = "--check" in arguments
    names = [a for a in arguments if a != "--check"]
    sources = [FOLDER / f"{n}.toml" for n in names] if names else sorted(FOLDER.glob("*.toml"))
    modules = {path.stem for path in ROOT.glob("rtl/*/*.sv")}
    stale = []
    for source in sources:
        try:
            drawing = tomllib.loads(source.read_text())
            wrong = unknown(drawing, modules)
            if wrong:
                sys.exit(f"diagrams: {source}: no module of rtl/ is called {', '.join(wrong)}")
            text = svg(drawing)
        except (OSError, ValueError, KeyError) as error:
            sys.exit(f"diagrams: {source}: {error}")
        picture = source.with_suffix(".svg")
        if check:
            if not picture.exists() or picture.read_text() != text:
                stale.append(picture.name)
        else:
            picture.write_text(text)
    if not sources:
        sys.exit(f"diagrams: no sources in {FOLDER}")
    if stale:
        sys.exit(f"diagrams: not as their sources say: {', '.join(stale)}; run scripts/diagrams.py")


if __name__ == "__main__":
    main(sys.argv[1:])
