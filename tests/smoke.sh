#!/bin/sh
# Use an installed scoref as a new user would, from an empty folder: smoke.sh BIN
set -eu
bin=$(cd "$1" && pwd)
examples=$(cd "$(dirname "$0")/../examples/ferry" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() {
    echo "smoke test failed: $1" >&2
    exit 1
}

expect() {  # expect OUTPUT COMMAND...
    expected=$1
    shift
    found=$("$@" 2>&1) || fail "$* (exit code $?): $found"
    case $found in *"$expected"*) ;; *) fail "$*: expected $expected, found: $found" ;; esac
}

"$bin/python" -c "import importlib.util as u; assert u.find_spec('pytest') is None" ||
    fail "the environment is not empty"
expect "scoref " "$bin/scoref" --version
expect "100.00" "$bin/scoref" score -q "$examples/key.conll" "$examples/key.conll"
expect "78.67" "$bin/python" -m scoref score -q "$examples/key.conll" "$examples/careful.conll"
expect "careful" "$bin/scoref" compare "$examples/key.conll" "$examples/careful.conll" \
    "$examples/hasty.conll"
expect "CEAF" "$bin/scoref" score "$examples/key.conll" "$examples/hasty.conll" --to latex \
    --style conll
expect "TOTALS" "$bin/scoref" official all "$examples/key.conll" "$examples/careful.conll" none
expect "Moosavi" "$bin/scoref" metrics lea --cite
expect "_scoref" "$bin/scoref" completion bash
expect "reference scorer" "$bin/scoref" papers practices
expect "" "$bin/scoref" report "$examples/key.conll" "$examples/careful.conll" -o report.html
test -s report.html || fail "the report is empty"
"$bin/python" - "$examples" <<'PYTHON'
import sys
import scoref
result = scoref.score(f"{sys.argv[1]}/key.conll", f"{sys.argv[1]}/careful.conll")
assert f"{100 * result['conll'].f1:.2f}" == "78.67", result["conll"]
assert scoref.score({"d": [["a", "b"]]}, {"d": [["a", "b"]]})["b3"].f1 == 1
PYTHON
echo "smoke test passed: $("$bin/scoref" --version)"
