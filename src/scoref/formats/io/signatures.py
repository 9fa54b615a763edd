"""What the first bytes of a file look like, for messages about files of an unknown format."""

from __future__ import annotations

import re

_SIGNATURES: tuple[tuple[re.Pattern[bytes], str], ...] = (
    (re.compile(rb"\xff\xfe|\xfe\xff"), "UTF-16 text"),
    (re.compile(rb"PAR1"), "a Parquet table"),
    (re.compile(rb"PK\x03\x04"), "a zip archive"),
    (re.compile(rb"BZh|\xfd7zXZ|\x28\xb5\x2f\xfd"), "a compressed file"),
    (re.compile(rb"(\xef\xbb\xbf)?\s*[{\[]"), "JSON"),
    (re.compile(rb"(\xef\xbb\xbf)?\s*<"), "XML or HTML"),
    (re.compile(rb"(?s).*?^# (global\.|newdoc|sent_id)", re.MULTILINE), "CoNLL-U"),
    (re.compile(rb"(?s).*?^T\d+\t", re.MULTILINE), "brat annotation"),
    (re.compile(rb"(?s).*?\0"), "a binary file"),
)


def describe_content(head: bytes) -> str:
    """Describe a file by its first bytes."""
    for pattern, name in _SIGNATURES:
        if pattern.match(head):
            return f"what looks like {name}"
    return "the file"
