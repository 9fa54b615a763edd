"""Watch a folder: write the page again whenever runs arrive, change or disappear."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event
from types import FrameType
from typing import Any

RELOAD = 10
"""Seconds after which a page that is watched loads itself again."""


def watch(update: Callable[[], None], seconds: float, stop: Event) -> None:
    """Call `update` every few seconds until `stop` is set."""
    while not stop.is_set():
        update()
        stop.wait(seconds)


@contextmanager
def stopped_by_signals() -> Iterator[Event]:
    """Return an event that Ctrl-C or SIGTERM sets; a second signal ends the process as usual."""
    stop = Event()
    usual: dict[int, Any] = {}

    def end(number: int, frame: FrameType | None) -> None:
        if stop.is_set() and callable(usual[number]):
            usual[number](number, frame)
        stop.set()

    with suppress(ValueError):  # only the main thread can set handlers
        for number in (signal.SIGINT, signal.SIGTERM):
            if (before := signal.getsignal(number)) != signal.SIG_IGN:
                usual[number] = before
                signal.signal(number, end)
    try:
        yield stop
    finally:
        for handled, handler in usual.items():
            signal.signal(handled, handler)
