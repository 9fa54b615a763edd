"""Writes the table of equalities into the manual: `python -m tests.integrations.table`."""

from __future__ import annotations

import json
import re

from tests.conftest import REPOSITORY
from tests.integrations.conftest import FOUND

PAGE = REPOSITORY / "docs" / "guides" / "harnesses.md"
TABLE = re.compile(r"(?<=<!-- equalities -->\n).*?(?=<!-- end -->)", re.DOTALL)
HEADER = """\
| harness | version | data | scores compared | CoNLL F1 | difference |
|---|---|---|---|---|---|
"""


def table() -> str:
    """Return what the tests found, a row per harness."""
    rows = json.loads(FOUND.read_text("utf-8"))
    lines = [
        f"| {harness} | {version} | {data} | {compared} | {conll} | {difference:g} |\n"
        for harness, (version, data, compared, conll, difference) in sorted(rows.items())
    ]
    return HEADER + "".join(lines)


if __name__ == "__main__":
    text = PAGE.read_text("utf-8")
    PAGE.write_text(TABLE.sub(lambda _: table(), text), "utf-8")
