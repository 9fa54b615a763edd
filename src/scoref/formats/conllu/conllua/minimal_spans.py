"""The minimal spans of CoNLL-UA, `Min=3` or `Min=3,5`: rows of the document, counted from 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.formats.brackets.ids import Ids
from scoref.formats.brackets.problems import ProblemLog
from scoref.formats.conllu.brackets import ConlluBrackets
from scoref.formats.conllu.nodes import Nodes

if TYPE_CHECKING:
    from scoref.formats.conllu.conllua.mentions import ConlluaMentions
_NOTHING = -1


class MinimalSpans(NamedTuple):
    """Minimal spans as attributes of mentions, how many the file has, and lines of unusable ones.

    A minimal span that is outside its mention is unusable.
    """

    attributes: dict[str, NDArray[Any]]
    count: int
    outside: list[int]

    @classmethod
    def of(
        cls,
        brackets: ConlluBrackets,
        found: ConlluaMentions,
        nodes: Nodes,
        ids: Ids,
        problems: ProblemLog,
    ) -> MinimalSpans:
        """Read the field Min of each mention. Each distinct value is parsed once, as text."""
        codes = brackets.field("Min")[found.bracket]
        rows = np.flatnonzero(codes)
        if not len(rows):
            return cls({}, 0, [])
        line = brackets.line[found.bracket[rows]]
        texts, which = ids.decode_all(codes[rows])
        parsed = [_parse(text) for text in texts]
        for at in [at for at, ends in enumerate(parsed) if ends is None]:
            for number in line[which == at].tolist():
                hint = "count the rows of the document from 1"
                problems.add(number, f"`Min={texts[at][:40]}`", "`Min=3` or `Min=3,5`", hint)
        ends = np.array([ends or (_NOTHING, _NOTHING) for ends in parsed], dtype=np.int64)[which]
        low, high = ends.T + nodes.first_node[found.document[rows]]
        inside = (found.first[rows] <= low) & (low <= high) & (high <= found.last[rows])
        outside = line[~inside].tolist()
        rows = rows[inside]
        columns = {}
        if len(rows):
            for name, node in (("min_start", low[inside]), ("min_end", high[inside])):
                columns[name] = np.full(len(codes), _NOTHING)
                columns[name][rows] = nodes.word(node, found.document[rows])
        return cls(columns, len(codes.nonzero()[0]), outside)


def _parse(text: str) -> tuple[int, int] | None:
    """Return the first and the last row from 0, or None if the text is not valid."""
    ends = text.split(",")
    if len(ends) > 2 or not all(end.isascii() and end.isdecimal() for end in ends):
        return None
    return int(ends[0][:18]) - 1, int(ends[-1][:18]) - 1
