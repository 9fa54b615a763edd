"""Check the built manual: `python -m docs.checks build/docs`. The exit code is 1 after findings."""

from __future__ import annotations

import sys
from pathlib import Path

from docs.checks.links import broken_links
from docs.checks.spelling import unknown_words

if __name__ == "__main__":
    findings = [*broken_links(Path(sys.argv[1])), *unknown_words()]
    for finding in findings:
        print(finding, file=sys.stderr)
    sys.exit(1 if findings else 0)
