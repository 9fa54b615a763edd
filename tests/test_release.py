"""What surrounds a release: workflows, templates, recipe, and the checks before a tag is set."""

from __future__ import annotations

import re
import runpy
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import scoref
from tests.conftest import REPOSITORY

GITHUB = REPOSITORY / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
MAKEFILE = (REPOSITORY / "Makefile").read_text("utf-8")
TARGETS = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))


def load(path: Path) -> Any:
    """Read YAML, in which `on` is a word and not a truth value."""
    return yaml.load(path.read_text("utf-8"), Loader=yaml.BaseLoader)  # noqa: S506  # strings only


def steps(path: Path) -> list[dict[str, Any]]:
    """Return the steps of all jobs of a workflow."""
    return [step for job in load(path)["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: str(path.stem))
class TestWorkflows:
    """Each workflow of GitHub."""

    def test_has_what_a_workflow_needs(self, path: Path) -> None:
        """A name, what starts it, few permissions, and steps that use or run something."""
        found = load(path)
        assert {"name", "on", "permissions", "jobs"} <= set(found)
        for job in found["jobs"].values():
            assert job["runs-on"]
            assert not set(re.findall(r"needs", str(job))) or job["needs"] in found["jobs"]
        assert all(("run" in step) != ("uses" in step) for step in steps(path))

    def test_actions_have_a_version(self, path: Path) -> None:
        """An action of the head of a branch can change without a commit of ours."""
        used = [step["uses"] for step in steps(path) if "uses" in step]
        assert used
        assert all(re.search(r"@(v\d+|release/v\d+)$", name) for name in used), used

    def test_runs_what_exists(self, path: Path) -> None:
        """Targets of make, and files of the repository."""
        for command in (step["run"] for step in steps(path) if "run" in step):
            words = command.split()
            if words[0] == "make":
                assert words[1] in TARGETS, command
            for name in re.findall(r"(?:release|tests)/[\w/.]+", command):
                assert (REPOSITORY / name).exists(), command

    def test_the_oldest_python_is_there_where_it_is_tested(self, path: Path) -> None:
        """`make test-oldest` and `make test-long` make an environment with it."""
        oldest = re.search(r"^LONG_PYTHON \?= python([\d.]+)$", MAKEFILE, re.MULTILINE)
        assert oldest
        for job in load(path)["jobs"].values():
            if any("test-long" in step.get("run", "") for step in job["steps"]):
                versions = [
                    step["with"]["python-version"].split()
                    for step in job["steps"]
                    if "setup-python" in step.get("uses", "")
                ]
                assert oldest[1] in versions[0]

    def test_pythons_are_supported(self, path: Path) -> None:
        """No version is older than the oldest that the package supports."""
        least = PROJECT["project"]["requires-python"].removeprefix(">=3.")
        found = re.findall(r'["\s]3\.(\d+)["\s]', path.read_text("utf-8"))
        assert found
        assert all(int(minor) >= int(least) for minor in found)


def test_all_supported_pythons_are_tested() -> None:
    """From the oldest on, on three systems."""
    jobs = load(GITHUB / "workflows" / "tests.yml")["jobs"]
    assert jobs["linux"]["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13", "3.14"]
    assert jobs["others"]["strategy"]["matrix"] == {
        "os": ["macos-latest", "windows-latest"],
        "python": jobs["linux"]["strategy"]["matrix"]["python"],
    }


def test_templates_ask_for_what_we_need() -> None:
    """A wrong score: the pair, the command, the signature, and the versions."""
    templates = {path.stem: load(path) for path in (GITHUB / "ISSUE_TEMPLATE").glob("*.yml")}
    asked = [one["id"] for one in templates["wrong-score"]["body"] if "id" in one]
    assert {"pair", "command", "signature", "environment"} <= set(asked)
    for name in ("wrong-score", "problem", "wish"):
        assert {"name", "description", "labels", "body"} <= set(templates[name])
        ids = [one["id"] for one in templates[name]["body"] if "id" in one]
        assert len(ids) == len(set(ids))


def test_the_checks_of_a_release(tmp_path: Path) -> None:
    """They accept this recipe and these requirements, and find what is wrong in others."""
    check = runpy.run_path(str(REPOSITORY / "release" / "check.py"))
    assert check["version"]() == scoref.__version__
    assert check["check_requirements"]() == []
    check["check_changelog"].__globals__["ROOT"] = tmp_path
    (tmp_path / "src" / "scoref").mkdir(parents=True)
    (tmp_path / "src" / "scoref" / "version.py").write_text('__version__ = "0.2.0"\n')
    changelog = tmp_path / "CHANGELOG.md"
    good = "# Changelog\n\n## 0.2.0 - 2026-12-01\n\n### Changes that alter a score\n\nNone.\n"
    changelog.write_text(good)
    assert check["check_changelog"]() == []
    changelog.write_text(good.replace("2026-12-01", "not released"))
    assert "newest dated version is none" in check["check_changelog"]()[0]
    changelog.write_text(good.replace("Changes that alter a score", "Added"))
    assert "does not start with" in check["check_changelog"]()[0]


def test_oldest_versions_are_those_of_the_package() -> None:
    """`make test-oldest` installs the oldest NumPy, SciPy and extras that are allowed."""
    oldest = dict(
        re.findall(
            r"^(\w+)==([\d.]+)", (REPOSITORY / "release" / "oldest.txt").read_text(), re.MULTILINE
        )
    )
    extras = PROJECT["project"]["optional-dependencies"]
    allowed = [*PROJECT["project"]["dependencies"], *extras["figures"], *extras["pandas"]]
    for one in (*allowed, *extras["polars"]):
        name, _, least = one.partition(">=")
        assert f"{oldest[name]}.0".startswith(f"{least}."), one
    assert PROJECT["project"]["requires-python"] == ">=3.11"
    assert "LONG_PYTHON ?= python3.11" in MAKEFILE


def test_the_image_has_what_the_package_is_built_from() -> None:
    """Everything that `pyproject.toml` reads is copied, and `.dockerignore` leaves out the rest."""
    kept = set(
        re.findall(r"^!(\S+)$", (REPOSITORY / ".dockerignore").read_text("utf-8"), re.MULTILINE)
    )
    project = PROJECT["project"]
    version = PROJECT["tool"]["hatch"]["version"]["path"].split("/")[0]
    assert {project["readme"], *project["license-files"], version, "pyproject.toml"} == kept
    commands = (REPOSITORY / "release" / "Containerfile").read_text("utf-8")
    extra = re.search(r"/source\[(\w+)\]", commands)
    assert extra
    assert extra[1] in project["optional-dependencies"]
    assert 'ENTRYPOINT ["scoref"]' in commands
    for name in kept:
        assert (REPOSITORY / name).exists()


def test_links_of_the_pages_that_a_host_shows() -> None:
    """SECURITY.md and the like name pages and headings that exist."""
    for name in ("SECURITY.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        text = (REPOSITORY / name).read_text("utf-8")
        for target, heading in re.findall(r"\]\((?!https?:|#)([^)#]+)(?:#([^)]+))?\)", text):
            page = REPOSITORY / target
            assert page.exists(), (name, target)
            titles = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
            slugs = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
            assert not heading or heading in slugs, (name, target, heading)
