"""Which bits of a netlist could depend on others, cell by cell, for scripts/flow.py."""

BITWISE = {"$and", "$or", "$xor", "$xnor", "$not", "$pos", "$buf", "$bwmux", "$mux", "$tribuf"}
FLOPS = {"$dff", "$dffe", "$adff", "$adffe", "$aldff", "$aldffe", "$sdff", "$sdffe", "$sdffce", "$dffsr", "$ff"}
# Inputs whose every bit decides every bit of the output; those of a cell that are not here go bit by bit, or by words.
WHOLE = {"$mux": {"S"}, "$pmux": {"S"}, "$bmux": {"S"}, "$demux": {"S"}, "$tribuf": {"EN"}}
SILENT = {"$check", "$print", "$assert", "$assume", "$cover", "$scopeinfo"}
MACROS = ("rtl/common/sram_1rw.sv", "rtl/common/sram_1r1w.sv", "rtl/racetrack/racetrack_macro.sv")


class CellError(Exception):
    """A cell of which nothing is known."""


class Graph:
    """The cells of a module by the bits that they read, and how each reached bit was reached."""

    def __init__(self, cells):
        self.cells = cells
        self.readers = {}
        self.came = {}
        for name, cell in cells.items():
            inputs = [port for port, way in cell["port_directions"].items() if way != "output"]
            for port in inputs:
                for place, bit in enumerate(cell["connections"][port]):
                    if isinstance(bit, int):
                        self.readers.setdefault(bit, []).append((name, port, place))

    def reached(self, data):
        """All bits that depend on `data`."""
        self.came = {bit: None for bit in data}
        left = list(data)
        self.memory_bits = {name: set() for name, cell in self.cells.items() if cell["type"] == "$mem_v2"}
        while left:
            bit = left.pop()
            for name, port, place in self.readers.get(bit, ()):
                left += self.through(name, port, place, bit)
        return self.came.keys()

    def through(self, name, port, place, bit):
        """The bits that are reached for the first time when this one of a cell's input is."""
        cell = self.cells[name]
        kind = cell["type"]
        if kind in SILENT:
            return []
        if kind == "$mem_v2":
            return self.memory(name, memory_columns(cell, port, place), bit)
        out = "Q" if kind in FLOPS else "Y"
        if out not in cell["connections"]:
            raise CellError(f"{name}: nothing is known of a cell {kind}")
        bits = cell["connections"][out]
        return self.mark((bits[at] for at in places(cell, port, place, len(bits))), name, bit)

    def memory(self, name, columns, bit):
        """What a memory is reached in, and through it its read ports."""
        cell = self.cells[name]
        fresh = set(columns) - self.memory_bits[name]
        self.memory_bits[name] |= fresh
        words, reads = width(cell), cell["connections"]["RD_DATA"]
        return self.mark((reads[base + column] for base in range(0, len(reads), words) for column in fresh), name, bit)

    def mark(self, bits, name, bit):
        """Those of the bits that were not reached before; they are now, from `bit` through the cell."""
        fresh = [out for out in bits if isinstance(out, int) and out not in self.came]
        for out in fresh:
            self.came[out] = (name, bit)
        return fresh

    def way(self, bit):
        """The cells from data to a reached bit, the last one first."""
        steps = []
        while self.came[bit]:
            name, before = self.came[bit]
            cell = self.cells[name]
            if cell["type"] != "$buf":
                steps.append(f"{cell['type']} at {cell['attributes'].get('src', name)}")
            bit = before
        return steps

    def state(self, reached):
        """Bits of flip-flops and of memories, and how many of each are reached."""
        flops = [bit for cell in self.cells.values() if cell["type"] in FLOPS for bit in cell["connections"]["Q"]]
        memories = reached_memories = 0
        for name, columns in self.memory_bits.items():
            words = int(self.cells[name]["parameters"]["SIZE"], 2)
            memories += words * width(self.cells[name])
            reached_memories += words * len(columns)
        return len(flops), sum(bit in reached for bit in flops), memories, reached_memories

    def control_memories(self):
        """Memory macros with columns that data do not reach: what these hold at the beginning must not be read."""
        return {name: width(self.cells[name]) - len(columns) for name, columns in sorted(self.memory_bits.items())
                if len(columns) < width(self.cells[name]) and self.cells[name]["attributes"].get("src", "").startswith(MACROS)}


def width(memory):
    """Bits of a word."""
    return int(memory["parameters"]["WIDTH"], 2)


def memory_columns(memory, port, place):
    """The bits of a word that could change with this bit of an input: its own for data and enables, all for the rest."""
    words = width(memory)
    return [place % words] if port in ("WR_DATA", "WR_EN") else range(words)


def places(cell, port, place, outputs):
    """The bits of the output that could change with this bit of an input."""
    kind, connections = cell["type"], cell["connections"]
    if port in WHOLE.get(kind, ()):
        return range(outputs)
    if kind in FLOPS:
        return [place] if port in ("D", "AD") else range(outputs)
    if kind in BITWISE:
        signed = int(cell["parameters"].get(f"{port}_SIGNED", "0"), 2)
        last = place == len(connections[port]) - 1
        return range(place, outputs) if signed and last else range(place, min(place + 1, outputs))
    if kind in ("$pmux", "$bmux"):
        return [place % outputs]
    if kind == "$demux":
        return range(place, outputs, len(connections["A"]))
    return range(outputs)
