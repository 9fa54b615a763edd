"""The reference of the manual is complete: every command and every public name has its place."""

from __future__ import annotations

import re

import pytest

from scoref.cli.description import describe_command
from scoref.cli.parser import COMMANDS
from tests.pages import MANUAL

REFERENCE = MANUAL / "reference"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_page(name: str) -> None:
    """The page describes the command, and the list of commands by task links to it."""
    page = (REFERENCE / "commands" / f"{name}.md").read_text("utf-8")
    assert page.startswith(f"# `scoref {name}`\n\n```{{command}} {name}\n```\n")
    index = (REFERENCE / "commands" / "index.md").read_text("utf-8")
    assert f"[`scoref {name}`]({name}.md) |" in index
    assert re.search(rf"^{name}$", index, re.MULTILINE)


def test_values_are_described_as_they_are_written() -> None:
    """A value such as overlap=0.5 is shown with what follows, and completed up to the sign."""
    flags = {option.names[-1]: option for option in describe_command("score").flags}
    assert flags["--match"].value.endswith("|overlap=THRESHOLD")
    assert flags["--match"].values[-1] == "overlap="


def test_groups_say_what_their_options_are_for() -> None:
    """As the help does."""
    assert describe_command("score").purposes["policies"].startswith("choices that can change")
