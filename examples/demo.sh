#!/bin/sh
# The commands of `make demo`: score, compare and analyse the shipped examples. Each command is
# printed before its output.
set -eu
cd "$(dirname "$0")/.."
PATH="$PWD/${BIN:-.venv/bin}:$PATH"

run() {
    printf '\n$ %s\n' "$*"
    "$@"
}

key=examples/ferry/key.conll
run scoref validate examples/ferry/key.conll examples/ferry/baseline.conll examples/ferry/careful.conll examples/ferry/hasty.conll
run scoref score $key examples/ferry/baseline.conll
run scoref score $key examples/ferry/careful.conll
run scoref score $key examples/ferry/careful.conll --singletons drop --per-document
run scoref compare examples/birds/*.counts.json
printf '\n$ for system in baseline careful hasty; do scoref score -q %s examples/ferry/$system.conll; done\n' $key
for system in baseline careful hasty; do scoref score -q $key examples/ferry/$system.conll; done
run scoref errors $key examples/ferry/hasty.conll
run scoref errors $key examples/ferry/hasty.conll --show harbour/ferry
mkdir -p build
run scoref report $key examples/ferry/baseline.conll examples/ferry/careful.conll examples/ferry/hasty.conll --with-text -o build/report.html
