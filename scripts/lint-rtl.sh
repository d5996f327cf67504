#!/bin/sh
# The RTL of every design (rtl/*/design.toml) under `verilator --lint-only -Wall`, with the waivers of
# constraints/<design>/. Prints a line for each design and exits with 1 when there is a warning.
#
# Verilator is the one that scripts/tools.sh finds: VERILATOR, VERILATOR_ROOT, PATH, then the package
# in build/tools/venv (HEDDLE_TOOLS names another folder than build/tools).
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
tools=${HEDDLE_TOOLS:-$root/build/tools}

fail() {
    printf '%s\n' "lint-rtl: $*" >&2
    exit 1
}

# The program that runs. The package keeps no wrapper that works everywhere: its binary needs VERILATOR_ROOT.
verilator=
for candidate in "${VERILATOR:-}" "${VERILATOR_ROOT:+$VERILATOR_ROOT/bin/verilator}" \
    "$(command -v verilator 2>/dev/null || true)"; do
    if [ -n "$candidate" ] && "$candidate" --version >/dev/null 2>&1; then
        verilator=$candidate
        break
    fi
done
if [ -z "$verilator" ]; then
    for package in "$tools"/venv/lib/python*/site-packages/verilator; do
        if [ -x "$package/bin/verilator_bin" ]; then
            verilator=$package/bin/verilator_bin
            VERILATOR_ROOT=$package
            export VERILATOR_ROOT
        fi
    done
fi
[ -n "$verilator" ] || fail "no Verilator: run scripts/tools.sh"

# Value of the string key $1 of the table [design] in the manifest $2.
text_key() {
    sed -n "/^\[design\]/,/^\[\[/s/^$1 *= *\"\(.*\)\" *\$/\1/p" "$2"
}

# The strings of the array `sources` in the manifest $1, one a line.
sources() {
    sed -n '/^sources *= *\[/,/\]/p' "$1" | grep -v '^ *#' | grep -o '"[^"]*"' | tr -d '"'
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
designs=0
bad=0
for manifest in "$root"/rtl/*/design.toml; do
    [ -f "$manifest" ] || fail "no design in $root/rtl"
    folder=$(dirname -- "$manifest")
    name=$(basename -- "$folder")
    top=$(text_key top "$manifest")
    [ -n "$top" ] || fail "$manifest has no 'top'"
    list=$(sources "$manifest")
    [ -n "$list" ] || fail "$manifest has no 'sources'"
    designs=$((designs + 1))

    set -- --lint-only -Wall --assert --top-module "$top"
    waivers=0
    for waiver in "$root/constraints/$name"/*.vlt; do
        if [ -f "$waiver" ]; then
            set -- "$@" "$waiver"
            waivers=$((waivers + 1))
        fi
    done
    files=0
    while IFS= read -r source; do
        [ -f "$folder/$source" ] || fail "$manifest: no file $source"
        set -- "$@" "$folder/$source"
        files=$((files + 1))
    done <<LIST
$list
LIST

    # Messages name files below the root.
    if (cd "$root" && "$verilator" "$@") >"$log" 2>&1 && [ ! -s "$log" ]; then
        printf '%s\n' "lint-rtl: $name: clean, $files files, $waivers waiver files"
    elif grep -q '^%' "$log"; then
        warnings=$(grep -c '^%\(Warning\|Error\)' "$log") || true
        printf '%s\n' "lint-rtl: $name: $warnings warnings and errors"
        sed "s|$root/||g" "$log" >&2
        bad=1
    elif grep -v '^- ' "$log" | grep -q .; then
        printf '%s\n' "lint-rtl: $name: Verilator failed"
        cat "$log" >&2
        bad=1
    else
        # Lines that begin with a dash are Verilator's own report of time and memory.
        printf '%s\n' "lint-rtl: $name: clean, $files files, $waivers waiver files"
    fi
done
[ "$bad" -eq 0 ] || exit 1
