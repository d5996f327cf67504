"""Runs passes of yosys, one an argument. What they print ends the process's output, and so does what they refuse."""

import sys

from pyosys import libyosys

design = libyosys.Design()
for line in sys.argv[1:]:
    libyosys.run_pass(line, design)
