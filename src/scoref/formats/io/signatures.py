"""What a file looks like, for the message that says that it is something else."""

from __future__ import annotations

import re

_LOOKS: tuple[tuple[re.Pattern[bytes], str], ...] = (
    (re.compile(rb"\xff\xfe|\xfe\xff"), "what looks like UTF-16 text"),
    (re.compile(rb"PAR1"), "what looks like a Parquet table"),
    (re.compile(rb"PK\x03\x04"), "what looks like a zip archive"),
    (re.compile(rb"BZh|\xfd7zXZ|\x28\xb5\x2f\xfd"), "what looks like a compressed file"),
    (re.compile(rb"(\xef\xbb\xbf)?\s*[{\[]"), "what looks like JSON"),
    (re.compile(rb"(\xef\xbb\xbf)?\s*<"), "what looks like XML or HTML"),
    (re.compile(rb"(?s).*?^# (global\.|newdoc|sent_id)", re.MULTILINE), "what looks like CoNLL-U"),
    (re.compile(rb"(?s).*?^T\d+\t", re.MULTILINE), "what looks like brat annotation"),
    (re.compile(rb"(?s).*?\0"), "what looks like a binary file"),
)


def describe(head: bytes) -> str:
    """Say what a file that starts so looks like."""
    for pattern, name in _LOOKS:
        if pattern.match(head):
            return name
    return "the file"
