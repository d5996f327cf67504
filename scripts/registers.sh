#!/bin/sh
# Registers per thread of every kernel of rust/workloads: what ptxas gives, and beside it what Heddle gives.
#
#   scripts/registers.sh           write rust/workloads/data/ptxas.csv and docs/registers.md anew
#   scripts/registers.sh --check   compare with the files in the tree; 1 if one differs
#
# ptxas is the one that scripts/make-workloads.sh installs into build/tools/nvcc. A source with the comment
# line `// nvcc: -maxrregcount=N` gives both compilers that limit.
set -eu

Root=$(cd "$(dirname "$0")/.." && pwd)
Table="$Root/rust/workloads/data/ptxas.csv"
Check=${1:-}
if [ $# -gt 1 ] || { [ -n "$Check" ] && [ "$Check" != --check ]; }; then
    echo "usage: scripts/registers.sh [--check]" >&2
    exit 2
fi

Ptxas=$(find -L "$Root/build/tools/nvcc" -path '*/nvidia/*/bin/ptxas' 2>/dev/null | head -n 1)
if [ -z "$Ptxas" ]; then
    echo "registers: no ptxas in build/tools/nvcc; scripts/make-workloads.sh --check installs it" >&2
    exit 1
fi

Out=$(mktemp -d)
trap 'rm -rf "$Out"' EXIT

# Entries of PTX file $1 with their registers at -O$2 and the limit $3, one a line.
counts() {
    "$Ptxas" -arch=sm_75 "-O$2" -v ${3:+"--maxrregcount=$3"} -o "$Out/cubin" "$1" 2>&1 |
        sed -n "s/.*Compiling entry function '\([^']*\)'.*/\1/p; s/.*Used \([0-9]*\) registers.*/\1/p" |
        paste -d, - - | LC_ALL=C sort
}

cd "$Root/rust/workloads/kernels"
echo "file,entry,limit,o1,o3" >"$Out/table"
for Ptx in */*.ptx; do
    Limit=$(sed -n 's|^// nvcc:.*-maxrregcount=\([0-9]*\).*|\1|p' "${Ptx%.ptx}.cu" | head -n 1)
    counts "$Ptx" 1 "$Limit" >"$Out/o1"
    counts "$Ptx" 3 "$Limit" >"$Out/o3"
    if ! [ -s "$Out/o3" ]; then
        echo "registers: ptxas does not take $Ptx" >&2
        exit 1
    fi
    paste -d, "$Out/o1" "$Out/o3" | awk -F, -v file="$Ptx" -v limit="$Limit" '{ print file "," $1 "," limit "," $2 "," $4 }' \
        >>"$Out/table"
done

if [ -z "$Check" ]; then
    cp "$Out/table" "$Table"
elif ! diff -u "$Table" "$Out/table"; then
    echo "registers: $Table is not what ptxas gives; run scripts/registers.sh" >&2
    exit 1
fi
cd "$Root"
${CARGO:-cargo} run --release --locked --quiet --package heddle-kernel --example registers -- $Check
