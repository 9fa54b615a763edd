"""Check what a release states about itself: `python release/check.py [--tag v0.2.0]`.

`make release-check` runs this first, and then everything that takes time.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
ALTERS = "### Changes that alter a score"
_VERSION = re.compile(r'^__version__ = "(.+)"$', re.MULTILINE)
_HEADING = re.compile(r"^## (?P<version>\S+) - (?P<date>\S+)$", re.MULTILINE)
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def read(path: str) -> str:
    """Return a file of the repository."""
    return (ROOT / path).read_text("utf-8")


def version() -> str:
    """Return the version that the package states."""
    found = _VERSION.search(read("src/scoref/version.py"))
    return found[1] if found else ""


def git(*arguments: str) -> str:
    """Return what git prints."""
    command = ["git", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def check_tree() -> list[str]:
    """Everything is committed, and the version has no tag yet."""
    problems = [f"not committed: {line}" for line in git("status", "--porcelain").splitlines()]
    if f"v{version()}" in git("tag").split():
        problems.append(f"the tag v{version()} exists: set a new version in version.py")
    return problems


def check_changelog() -> list[str]:
    """Each version is dated, newest first, and starts with the changes that alter a score."""
    text = read("CHANGELOG.md")
    sections = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    problems = []
    for section in sections:
        heading, _, body = section.partition("\n")
        if not body.strip().startswith(ALTERS):
            problems.append(f"CHANGELOG.md: {heading} does not start with `{ALTERS}`")
    released = [one for one in _HEADING.finditer(text) if _DATE.fullmatch(one["date"])]
    if not released or released[0]["version"] != version():
        newest = released[0]["version"] if released else "none"
        problems.append(f"CHANGELOG.md: the newest dated version is {newest}, not {version()}")
    return problems


def check_versions() -> list[str]:
    """All files that state the version state the same one."""
    stated = {
        "CITATION.cff": rf"^version: {re.escape(version())}$",
        "release/recipe.yaml": rf'^  version: "{re.escape(version())}"$',
        "docs/explanation/speed.md": rf"\bscoref {re.escape(version())}\b",
        "docs/explanation/calibration.md": rf"\bscoref {re.escape(version())}\b",
    }
    return [
        f"{path}: does not state the version {version()}: was it made again for this release?"
        for path, pattern in stated.items()
        if not re.search(pattern, read(path), re.MULTILINE)
    ]


def check_requirements() -> list[str]:
    """The recipe requires what the package requires."""
    project = tomllib.loads(read("pyproject.toml"))["project"]
    recipe = set(re.findall(r"^    - (\S.*)$", read("release/recipe.yaml"), re.MULTILINE))
    wanted = {re.sub(r"(?=[<>=])", " ", one, count=1) for one in project["dependencies"]}
    wanted.add(f"python {project['requires-python']}")
    return [f"release/recipe.yaml: lacks `{one}`" for one in sorted(wanted - recipe)]


CHECKS: dict[str, Callable[[], list[str]]] = {
    "everything is committed": check_tree,
    "the changelog has this version": check_changelog,
    "the version is the same everywhere": check_versions,
    "requirements are the same everywhere": check_requirements,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all checks, and return 1 if one of them failed."""
    parser = argparse.ArgumentParser(prog="python release/check.py", description=__doc__)
    parser.add_argument("--tag", help="the tag that is released, such as v0.2.0")
    options = parser.parse_args(arguments)
    checks = dict(CHECKS)
    if options.tag:  # the tag exists by then
        checks["everything is committed"] = lambda: (
            [] if options.tag == f"v{version()}" else [f"the version is {version()}"]
        )
    failed = False
    for name, check in checks.items():
        problems = check()
        failed |= bool(problems)
        print(f"{'no ' if problems else 'yes'}  {name}")
        for problem in problems:
            print(f"       {problem}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
