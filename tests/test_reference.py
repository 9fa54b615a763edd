"""The reference of the manual is complete: every command and every public name has its place."""

from __future__ import annotations

import re
from dataclasses import fields
from importlib import import_module

import pytest

import scoref
from scoref.cli.command import find_command
from scoref.cli.commands import COMMANDS
from scoref.policy import Policy
from tests.manual_pages import MANUAL

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
    flags = {option.names[-1]: option for option in find_command("score").flags}
    assert flags["--match"].value.endswith("|overlap=THRESHOLD")
    assert flags["--match"].values[-1] == "overlap="


def test_groups_say_what_their_options_are_for() -> None:
    """As the help does."""
    purposes = {group.title: group.description for group in find_command("score").groups}
    assert purposes["policies"].startswith("choices that can change")


def documented() -> set[str]:
    """Return the names that a page of the Python API describes, with their modules."""
    found = set()
    for page in (REFERENCE / "python").glob("*.md"):
        text = page.read_text("utf-8")
        blocks = re.findall(r"currentmodule:: (\S+)\n\n\.\. auto\w+:: (\w+)", text)
        found |= {f"{module}.{name}" for module, name in blocks}
    return found


def test_every_public_name_is_in_the_reference() -> None:
    """`from scoref import *` gives nothing that the manual does not describe."""
    public = {f"scoref.{name}" for name in scoref.__all__ if name != "__version__"}
    public |= {f"scoref.spark.{name}" for name in import_module("scoref.spark").__all__}
    public |= {"scoref.metrics.Family", "scoref.integrations.counts_vector.CountsVector"}
    assert public <= documented()


def test_every_documented_name_exists() -> None:
    """Under the module that the page names."""
    for name in documented():
        module, _, last = name.rpartition(".")
        assert hasattr(import_module(module), last), name


@pytest.mark.parametrize("name", [field.name for field in fields(Policy)])
def test_every_policy_has_a_section(name: str) -> None:
    """With its flag, values and default, and linked from the table at the top."""
    page = (REFERENCE / "policies.md").read_text("utf-8")
    flag = name.replace("_", "-")
    title = name.replace("_", " ").capitalize()
    default = f"`{next(one.default for one in fields(Policy) if one.name == name)}`"
    values = [f"`{value}`" for value in Policy.choices()[name]]
    listed = ", ".join(f"{one} (default)" if one == default else one for one in values)
    assert f"### {title}\n\n`--{flag}`: {listed}.\n" in page.replace(",\n", ", ")
    assert f"[`--{flag}`](#{flag}) |" in page
