"""The one way to render anything: a view describes itself, and a module per output writes it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import Any, ClassVar

from scoref.exceptions import UsageError
from scoref.render import OUTPUTS
from scoref.render.model import Page


class BaseView(ABC):
    """What a feature has to say, for people, for spreadsheets and for programs."""

    outputs: ClassVar[Sequence[str]] = OUTPUTS
    json_default: ClassVar[Callable[[Any], Any] | None] = None
    """Converts values that JSON does not have."""

    @abstractmethod
    def page(self) -> Page:
        """Return what people read."""

    @abstractmethod
    def records(self) -> Iterable[Sequence[object]]:
        """Return the rows of the csv output, the header first, numbers at full precision."""

    @abstractmethod
    def content(self) -> Any:
        """Return the content of the json output, numbers at full precision."""

    def render(self, output: str) -> str:
        """Render as one of `outputs`."""
        if output not in self.outputs:
            raise UsageError(f"unknown output {output!r}", f"one of: {', '.join(self.outputs)}")
        # The csv and json modules alone cost as much as scoring a small corpus.
        writer: Any = import_module(f"scoref.render.{output}")
        if output == "json":
            shown: str = writer.write_content(self.content(), self.json_default)
        elif output == "csv":
            shown = writer.write_records(self.records())
        else:
            shown = writer.write_page(self.page())
        return shown
