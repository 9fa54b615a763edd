"""Progress of long work, on a terminal, for whoever waits at it.

    with progress("solving", total=len(parts)) as advance:
        for part in parts:
            solve(part)
            advance(1)

Nothing is shown before a second has passed, and what was shown is erased when the work is
done: output is the same with and without it. A library should not write to its user's
terminal, so that only the commands turn it on, by `show_progress`. Inside work that is shown
already, further work stays silent: one line, about the whole.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Advance = Callable[[int], None]

PATIENCE = 1.0
"""Seconds before anything is shown."""

_PERIOD = 0.1
_BAR = 20
_MINUTE = 60
_SCALES = ((1e9, "G"), (1e6, "M"), (1e3, "k"))


class _Shown:
    """Whether progress is shown in this process, and whether some is being shown now."""

    allowed = False
    busy = False


def show_progress(*, shown: bool) -> None:
    """Show progress from now on if standard error is a terminal; or never."""
    _Shown.allowed = shown and sys.stderr is not None and sys.stderr.isatty() and not _is_dumb()


def _is_dumb() -> bool:
    """Whether the terminal cannot write over a line."""
    return os.environ.get("TERM") == "dumb"


@contextmanager
def progress(what: str, total: float | None = None, unit: str = "") -> Iterator[Advance]:
    """Yield a function to call with how much was done; `total` is all, if that is known.

    Numbers are shown with a `unit`, such as `B` for bytes. Call it once for a chunk of work that
    takes milliseconds, not for every item.
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
    """Show nothing."""


class _Bar:
    """A line on standard error that is written over and over."""

    __slots__ = ("_done", "_next", "_start", "_total", "_unit", "_what", "_width")

    def __init__(self, what: str, total: float | None, unit: str) -> None:
        self._what, self._total, self._unit = what, total, unit
        self._done = 0
        self._width = 0
        self._start = time.monotonic()
        self._next = self._start + PATIENCE

    def advance(self, done: int) -> None:
        """Count what was done, and now and then show it."""
        self._done += done
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _PERIOD
            self._write(
                describe(self._what, self._done, self._total, now - self._start, self._unit)
            )

    def erase(self) -> None:
        """Leave the line as if nothing had been there."""
        if self._width:
            self._write("")
            sys.stderr.write("\r")
            sys.stderr.flush()

    def _write(self, text: str) -> None:
        import shutil  # noqa: PLC0415  # only work that takes long needs it

        text = text[: shutil.get_terminal_size().columns - 1]  # a full line would wrap
        sys.stderr.write(f"\r{text:<{self._width}}")
        sys.stderr.flush()
        self._width = len(text)


def describe(what: str, done: float, total: float | None, seconds: float, unit: str = "") -> str:
    """Say in one line how far work is, how fast it goes, and how long the rest will take."""
    rate = done / seconds if seconds > 0 else 0.0
    speed = f"{_scaled(rate, unit)}/s"
    if not total:
        return f"{what}  {_scaled(done, unit)}  {speed}"
    part = min(done / total, 1.0)
    bar = "#" * int(part * _BAR)
    rest = f"  {_clock((total - done) / rate)} left" if 0 < done < total else ""
    return f"{what}  [{bar:.<{_BAR}}] {part:4.0%}  {speed}{rest}"


def _scaled(number: float, unit: str) -> str:
    """Write a number with three digits or so: 12.3 MB, 4.5k, 12."""
    for scale, name in _SCALES:
        if number >= scale:
            shown = f"{number / scale:.3g}" if number < 1000 * scale else f"{number / scale:.0f}"
            return f"{shown} {name}{unit}" if unit else f"{shown}{name}"
    shown = f"{number:.0f}" if number >= 10 or number == int(number) else f"{number:.1f}"
    return f"{shown} {unit}" if unit else shown


def _clock(seconds: float) -> str:
    """Write a time as 1:02:03 or 2:03."""
    minutes, rest = divmod(round(seconds), _MINUTE)
    hours, minutes = divmod(minutes, _MINUTE)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
