"""JSON for programs, at full precision."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any


def write_content(content: Any, default: Callable[[Any], Any] | None = None) -> str:
    """Write content. Keys may be added in later versions; those that exist stay."""
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False, default=default)
