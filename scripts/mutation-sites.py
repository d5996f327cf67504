#!/usr/bin/env python3
"""Where one token of SystemVerilog sources can be another: the sites of `heddle mutate`, as JSON lines.

    mutation-sites.py FILE...

Reads each file by itself with slang's parser and prints, by file and place, a line for each mutant: `file`; `operator`,
one of those below; `start` and `end`, the bytes of the smallest expression that has the token; `at`, the byte of the
token; `token` and `mutant`, what stands there and what takes its place; `original` and `replacement`, the whole
expression without and with it.
What the tools decide while they elaborate is no site: parameters, types, widths, generate conditions, headers of loops,
labels of cases, the left side of a continuous assignment, outputs of instances; nor are assertions and initial blocks.

slang is the one in build/tools/lint (`scripts/tools.sh lint`). HEDDLE_TOOLS names another folder than build/tools.
"""

import json
import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINT = Path(os.environ.get("HEDDLE_TOOLS", ROOT / "build/tools")) / "lint"

# Operators between two expressions: name of the mutation operator, and the token that takes the token's place.
BINARY = {
    "AddExpression": ("arithmetic", "-"),
    "SubtractExpression": ("arithmetic", "+"),
    "LogicalShiftLeftExpression": ("shift", ">>"),
    "LogicalShiftRightExpression": ("shift", "<<"),
    "BinaryAndExpression": ("bits", "|"),
    "BinaryOrExpression": ("bits", "&"),
    "BinaryXorExpression": ("bits", "|"),
    "LogicalAndExpression": ("logic", "||"),
    "LogicalOrExpression": ("logic", "&&"),
    "EqualityExpression": ("equality", "!="),
    "InequalityExpression": ("equality", "=="),
    "LessThanExpression": ("order", "<="),
    "LessThanEqualExpression": ("order", "<"),
    "GreaterThanExpression": ("order", ">="),
    "GreaterThanEqualExpression": ("order", ">"),
}
# Operators before one expression; None: the token goes away.
UNARY = {
    "UnaryLogicalNotExpression": ("negation", None),
    "UnaryBitwiseNotExpression": ("negation", None),
    "UnaryBitwiseAndExpression": ("reduction", "|"),
    "UnaryBitwiseOrExpression": ("reduction", "&"),
}
# Conditions whose own operator makes the negation.
NEGATED = {"UnaryLogicalNotExpression", "EqualityExpression", "InequalityExpression"}
# Nothing inside of these is a site.
ELABORATED = {
    "ParameterDeclaration",
    "ParameterValueAssignment",
    "TypedefDeclaration",
    "VariableDimension",
    "EnumType",
    "AttributeInstance",
    "InitialBlock",
    "FinalBlock",
    "EventControl",
    "EventControlWithExpression",
    "SimpleRangeSelect",
    "AssertPropertyStatement",
    "AssumePropertyStatement",
    "CoverPropertyStatement",
    "ImmediateAssertStatement",
    "ElabSystemTask",
    "DPIImport",
}
# Of these, the children that are statements or blocks have sites, the others have not.
HEADERS = {"ForLoopStatement", "LoopGenerate", "IfGenerate", "CaseGenerate", "StandardCaseItem"}
# What is declared in these has its value before the first cycle.
STATIC = {"ModuleDeclaration", "PackageDeclaration", "GenerateBlock"}
# Of these, the first expression has none: counts, types and keys.
FIRST = {"MultipleConcatenationExpression", "ReplicatedAssignmentPattern", "CastExpression", "AssignmentPatternItem"}


def use_lint_packages():
    """Goes on with the Python that the packages were installed for, where it has a program of its own."""
    python = LINT / "bin/python"
    if python.exists() and Path(sys.prefix) != LINT:
        os.execv(python, [str(python), __file__, *sys.argv[1:]])
    for packages in LINT.glob("lib/python*/site-packages"):
        sys.path.insert(0, str(packages))


class Sites:
    """The sites of one file."""

    def __init__(self, path, syntax):
        self.path = path
        self.syntax = syntax
        self.text = Path(path).read_bytes()
        self.found = []

    def code(self, node):
        """The text of a node on one line, without comments."""
        span = node.sourceRange
        text = self.text[span.start.offset : span.end.offset].decode()
        return re.sub(r"\s+", " ", re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)).strip()

    def add(self, node, operator, token, mutant, replacement):
        """A mutant of the expression `node`; `token` is a token of it, or a node with one token."""
        at = token.sourceRange.start.offset if self.is_node(token) else token.location.offset
        span = node.sourceRange
        text = self.code(token) if self.is_node(token) else token.rawText
        self.found.append(
            {
                "file": self.path,
                "operator": operator,
                "start": span.start.offset,
                "end": span.end.offset,
                "at": at,
                "token": text,
                "mutant": mutant,
                "original": self.code(node),
                "replacement": replacement,
            }
        )

    def is_node(self, child):
        return isinstance(child, self.syntax.SyntaxNode)

    def expressions(self, node):
        return [child for child in node if self.is_node(child)]

    def walk(self, node):
        """The sites of a node and of all below it."""
        kind = node.kind.name
        if kind in ELABORATED:
            return
        self.mutants(node, kind)
        for child in self.with_sites(node, kind):
            self.walk(child)

    def with_sites(self, node, kind):
        """The children of a node that may have sites."""
        children = self.expressions(node)
        if kind in HEADERS:
            blocks = ("Statement", "Block", "Clause", "Generate", "ContinuousAssign", "HierarchyInstantiation")
            return [child for child in children if child.kind.name.endswith(blocks)]
        if kind in FIRST:
            return children[1:]
        if kind in ("AscendingRangeSelect", "DescendingRangeSelect"):
            return children[:1]
        if kind == "ContinuousAssign":
            return [right for assignment in node.assignments for right in self.right_of(assignment)]
        if kind == "NamedPortConnection" and node.name.valueText.endswith("_o"):
            return []
        if kind == "DataDeclaration" and node.parent.kind.name in STATIC:
            return []
        return children

    def right_of(self, assignment):
        return [assignment.right] if self.is_node(assignment) else []

    def mutants(self, node, kind):
        """The mutants of this node's own token."""
        if kind in BINARY:
            operator, mutant = BINARY[kind]
            left, right = self.code(node.left), self.code(node.right)
            self.add(node, operator, node.operatorToken, mutant, f"({left}) {mutant} ({right})")
        elif kind in UNARY:
            operator, mutant = UNARY[kind]
            self.add(node, operator, node.operatorToken, mutant or "", f"{mutant or ''}({self.code(node.operand)})")
        elif kind == "ConditionalExpression":
            condition, left, right = (self.code(part) for part in (node.predicate, node.left, node.right))
            swapped = f"({condition}) ? ({right}) : ({left})"
            self.add(node, "choice", node.question, f"? {right} :", swapped)
        elif kind == "ConditionalStatement":
            self.condition(node.predicate)
        elif kind == "BitSelect":
            self.index(node.expr)
        elif kind in ("IntegerLiteralExpression", "IntegerVectorExpression", "UnbasedUnsizedLiteralExpression"):
            mutant = next_constant(self.code(node))
            if mutant is not None:
                self.add(node, "constant", node, mutant, mutant)

    def condition(self, predicate):
        """The negation; an operator of the condition that can be negated by itself is a site of its own."""
        expressions = [pattern.expr for pattern in predicate.conditions if self.is_node(pattern)]
        if len(expressions) == 1 and expressions[0].kind.name in NEGATED:
            return
        negated = f"!({self.code(predicate)})"
        self.add(predicate, "condition", predicate, negated, negated)

    def index(self, chosen):
        """The next place, and the one before; a literal has its own operator."""
        if chosen.kind.name == "IntegerLiteralExpression":
            return
        code = self.code(chosen)
        for mutant in (f"{code} + 1", f"{code} - 1"):
            self.add(chosen, "index", chosen, mutant, f"({code}) {mutant[len(code) + 1]} 1")


def next_constant(text):
    """The literal that takes a literal's place: 0 and 1 for each other, else one more; None where digits are x or z."""
    if text in ("'0", "'1"):
        return "'1" if text == "'0" else "'0"
    parts = re.fullmatch(r"(?:(\d+)?\s*'(s?)([bodhBODH])\s*)?([0-9a-fA-F_]+)", text)
    if not parts:
        return None
    width, sign, base, digits = parts.groups()
    value = int(digits.replace("_", ""), {"b": 2, "o": 8, "h": 16}.get((base or "d").lower(), 10))
    other = 1 - value if value < 2 else value + 1
    if base is None:
        return str(other)
    if width is not None:
        other %= 1 << int(width)
    return f"{width or ''}'{sign}h{other:x}"


def main():
    use_lint_packages()
    try:
        from pyslang import syntax
    except ImportError as error:
        sys.exit(f"mutation-sites: no slang ({error}): run scripts/tools.sh lint")
    for path in sys.argv[1:]:
        tree = syntax.SyntaxTree.fromFile(path)
        wrong = [str(diagnostic.code) for diagnostic in tree.diagnostics if diagnostic.isError()]
        if wrong:
            sys.exit(f"mutation-sites: {path}: slang cannot read it: {wrong[0]}")
        sites = Sites(path, syntax)
        sites.walk(tree.root)
        for site in sorted(sites.found, key=lambda site: (site["at"], site["end"], site["mutant"])):
            print(json.dumps(site))


if __name__ == "__main__":
    main()
