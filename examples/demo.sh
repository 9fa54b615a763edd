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
island=examples/island
run scoref compare $island/key.conll $island/sieve.conll $island/neural.conll $island/chat.conll "ranker=$island/runs/seed1.json,$island/runs/seed2.json,$island/runs/seed3.json" -m muc -m b3 -m ceafe -m conll
run scoref agreement $island/key.conll $island/second.conll -m conll
printf '\n$ for system in baseline careful hasty; do scoref score -q %s examples/ferry/$system.conll; done\n' $key
for system in baseline careful hasty; do scoref score -q $key examples/ferry/$system.conll; done
run scoref errors $key examples/ferry/hasty.conll
run scoref errors $key examples/ferry/hasty.conll --show harbour/ferry
mkdir -p build
run scoref report $island/key.conll $island/sieve.conll $island/neural.conll $island/chat.conll --with-text -o build/report.html
