#!/bin/sh
# Compiles the kernels of rust/workloads/kernels from CUDA C++ to the PTX that is kept next to them.
#
#   scripts/make-workloads.sh           write every <name>.ptx anew
#   scripts/make-workloads.sh NAME...   only these
#   scripts/make-workloads.sh --check   compile and compare with the files in the tree; 1 if one differs
#
# A source that needs more options for nvcc says so in a comment line of its own:
#   // nvcc: -maxrregcount=40
#
# nvcc comes from pinned Python wheels, installed into build/tools/nvcc when they are not there.
# -fmad=false keeps the compiler from fusing: the sources say fmaf where a fused multiply-add is
# meant, so that the bits of a result are fixed by the source alone.
set -eu

Root=$(cd "$(dirname "$0")/.." && pwd)
Venv="$Root/build/tools/nvcc"
Stamp="$Venv/heddle-wheels"
Wheels="nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88
nvidia-cuda-runtime==13.0.96 nvidia-cuda-cccl==13.0.85"

Check=no
if [ "${1:-}" = --check ]; then
    Check=yes
    shift
fi
cd "$Root/rust/workloads/kernels"
for Name in "$@"; do
    if ! [ -f "$Name/$Name.cu" ]; then
        echo "make-workloads: no kernel '$Name'; usage: scripts/make-workloads.sh [--check] [NAME...]" >&2
        exit 2
    fi
done
[ $# -gt 0 ] || set -- *

if ! [ -f "$Stamp" ] || [ "$(cat "$Stamp")" != "$Wheels" ]; then
    echo "make-workloads: installing nvcc 13.0 from Python wheels into build/tools/nvcc"
    python3 -m venv "$Venv"
    # Unquoted: one argument a wheel.
    "$Venv/bin/pip" install --quiet --disable-pip-version-check $Wheels
    printf '%s\n' "$Wheels" >"$Stamp"
fi

Nvcc=$(find "$Venv" -path '*/nvidia/*/bin/nvcc' | head -n 1)
if [ -z "$Nvcc" ]; then
    echo "make-workloads: the wheels hold no nvcc; delete build/tools/nvcc and run again" >&2
    exit 1
fi

Out=$(mktemp -d)
trap 'rm -rf "$Out"' EXIT
Differ=0
for Name in "$@"; do
    Source="$Name/$Name.cu"
    Ptx="$Name/$Name.ptx"
    Options=$(sed -n 's|^// nvcc: ||p' "$Source")
    # Unquoted: one argument an option.
    "$Nvcc" $Options --ptx -arch=sm_75 -std=c++17 -O3 -fmad=false -o "$Out/$Name.ptx" "$Source"
    if [ "$Check" = no ]; then
        cp "$Out/$Name.ptx" "$Ptx"
    elif ! diff -u "$Ptx" "$Out/$Name.ptx"; then
        echo "make-workloads: $Ptx is not what nvcc makes of $Source" >&2
        Differ=1
    fi
done
[ "$Check" = no ] || [ "$Differ" = 1 ] || echo "make-workloads: every PTX file is what nvcc makes of its source"
exit "$Differ"
