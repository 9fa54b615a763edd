"""A progress bar on the terminal for work that takes long.

    with progress("solving", total=len(parts)) as advance:
        for part in parts:
            solve(part)
            advance(1)

The bar appears after one second and is erased at the end, so the output is the same with and
without it. A library should not write to its user's terminal: only the commands turn the bar on,
with `show_progress`. Nested work shows no bar of its own: there is one line, for the outermost
work.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from scoref.base.visible import visible

Advance = Callable[[int], None]

PATIENCE = 1.0
"""Seconds before the bar appears."""

_PERIOD = 0.1
_BAR = 20
_MINUTE = 60
_SCALES = ((1e9, "G"), (1e6, "M"), (1e3, "k"))


class _Shown:
    """Whether this process may show a bar, and whether it shows one now."""

    allowed = False
    busy = False


def show_progress(*, shown: bool) -> None:
    """Turn progress bars on, if standard error is a terminal, or off."""
    _Shown.allowed = shown and sys.stderr is not None and sys.stderr.isatty() and not _is_dumb()


def _is_dumb() -> bool:
    """Return whether the terminal cannot overwrite a line."""
    return os.environ.get("TERM") == "dumb"


@contextmanager
def progress(what: str, total: float | None = None, unit: str = "") -> Iterator[Advance]:
    """Show a bar, and yield a function to call with the amount of work done since the last call.

    `total` is the whole amount, if it is known. `unit` follows the numbers, such as `B` for bytes.
    Call the function once per chunk of work that takes milliseconds, not for every item.
    """
    if not _Shown.allowed or _Shown.busy:
        yield _nothing
        return
    _Shown.busy = True
    bar = _Bar(what, total, unit)
    try:
        yield bar.advance
    finally:
        _Shown.busy = False
        bar.erase()


def _nothing(_: int) -> None:
    """Ignore the progress."""


class _Bar:
    """A line on standard error that is overwritten at each update."""

    __slots__ = ("_done", "_next", "_start", "_total", "_unit", "_what", "_width")

    def __init__(self, what: str, total: float | None, unit: str) -> None:
        self._what, self._total, self._unit = visible(what), total, unit
        self._done = 0
        self._width = 0
        self._start = time.monotonic()
        self._next = self._start + PATIENCE

    def advance(self, done: int) -> None:
        """Add to the amount of work done, and update the line if it is time."""
        self._done += done
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _PERIOD
            self._write(
                describe(self._what, self._done, self._total, now - self._start, self._unit)
            )

    def erase(self) -> None:
        """Erase the line."""
        if self._width:
            self._write("")
            sys.stderr.write("\r")
            sys.stderr.flush()

    def _write(self, text: str) -> None:
        import shutil  # noqa: PLC0415  # only long work needs it

        text = text[: shutil.get_terminal_size().columns - 1]  # a full line would wrap
        sys.stderr.write(f"\r{text:<{self._width}}")
        sys.stderr.flush()
        self._width = len(text)


def describe(what: str, done: float, total: float | None, seconds: float, unit: str = "") -> str:
    """Describe the state of work in one line: the part done, the speed, and the time left."""
    rate = done / seconds if seconds > 0 else 0.0
    speed = f"{_scaled(rate, unit)}/s"
    if not total:
        return f"{what}  {_scaled(done, unit)}  {speed}"
    part = min(done / total, 1.0)
    bar = "#" * int(part * _BAR)
    rest = f"  {_clock((total - done) / rate)} left" if 0 < done < total else ""
    return f"{what}  [{bar:.<{_BAR}}] {part:4.0%}  {speed}{rest}"


def _scaled(number: float, unit: str) -> str:
    """Format a number with about three digits: 12.3 MB, 4.5k, 12."""
    for scale, name in _SCALES:
        if number >= scale:
            shown = f"{number / scale:.3g}" if number < 1000 * scale else f"{number / scale:.0f}"
            return f"{shown} {name}{unit}" if unit else f"{shown}{name}"
    shown = f"{number:.0f}" if number >= 10 or number == int(number) else f"{number:.1f}"
    return f"{shown} {unit}" if unit else shown


def _clock(seconds: float) -> str:
    """Format a time as 1:02:03 or 2:03."""
    minutes, rest = divmod(round(seconds), _MINUTE)
    hours, minutes = divmod(minutes, _MINUTE)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
