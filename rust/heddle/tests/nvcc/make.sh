#!/bin/sh
# Compiles the sources of this folder to the PTX that is kept next to them, and to a program for the CPU that
# writes what the kernel must leave.
#
#   rust/heddle/tests/nvcc/make.sh [NAME...]    write NAME.ptx, NAME.debug.ptx, NAME.clang.ptx, NAME.npy
#
# Without names, all. NAME.debug.ptx and NAME.clang.ptx are written only where they exist: create an empty file for
# another form. A source says how its results are compared in a first line `// compared: bits`, or `f32 1e-5` with a
# relative tolerance, or `refused: MESSAGE` when Heddle cannot compile it.
# nvcc comes from build/tools/nvcc (scripts/make-workloads.sh puts it there); clang 19 from PATH, without headers of
# the toolkit: clang.h of this folder stands for them.
set -eu

cd "$(dirname "$0")"
Venv=../../../../build/tools/nvcc
Nvcc=$(find -L "$Venv" -path '*/nvidia/*/bin/nvcc' | head -n 1)
Include=$(dirname "$(dirname "$Nvcc")")/include
Out=$(mktemp -d)
trap 'rm -rf "$Out"' EXIT

# Writes PTX without the folders of the machine that compiled it: the sections of debuggers hold them too.
without_folders() {
    sed -e '/^[[:space:]]*\.section/,/^[[:space:]]*}/d' -e 's|^\([[:space:]]*\.file[[:space:]]*[0-9]* \)".*/|\1"|' "$1"
}

[ $# -gt 0 ] || set -- $(ls *.cu | sed 's/\.cu$//')
for Name in "$@"; do
    "$Nvcc" --ptx -arch=sm_80 -std=c++17 -O3 -fmad=false -o "$Name.ptx" "$Name.cu"
    if [ -e "$Name.debug.ptx" ]; then
        "$Nvcc" --ptx -arch=sm_80 -std=c++17 -O0 -G -fmad=false -o "$Out/debug.ptx" "$Name.cu"
        without_folders "$Out/debug.ptx" >"$Name.debug.ptx"
    fi
    if [ -e "$Name.clang.ptx" ]; then
        clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_80 -std=c++17 -fms-extensions -O0 -g \
            -fdebug-compilation-dir=. -ffp-contract=off -include clang.h -S -o "$Name.clang.ptx" "$Name.cu"
    fi
    if ! grep -q '^// compared: refused' "$Name.cu"; then
        g++ -std=c++17 -O1 -w -ffp-contract=off -x c++ -include host.h -I"$Include" -o "$Out/$Name" "$Name.cu"
        case $(head -n 1 "$Name.cu") in *f32*) Element='<f4' ;; *f64*) Element='<f8' ;; *) Element='<u4' ;; esac
        "$Out/$Name" input.npy "$Name.npy" "$Element"
    fi
done
