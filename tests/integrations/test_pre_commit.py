"""The hooks of pre-commit: the manifest is valid, and each entry does what it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import REPOSITORY

MANIFEST = REPOSITORY / ".pre-commit-hooks.yaml"
BIN = Path(sys.executable).parent
GOOD = "#begin document (a); part 000\na 0 0 x - (1)\na 0 1 y - (1)\n#end document\n"


def hooks() -> dict[str, Any]:
    """Return the hooks by their names."""
    yaml = pytest.importorskip("yaml")
    return {hook["id"]: hook for hook in yaml.safe_load(MANIFEST.read_text("utf-8"))}


def test_the_manifest_is_valid() -> None:
    """By pre-commit's own check."""
    pytest.importorskip("pre_commit")
    command = [sys.executable, "-m", "pre_commit", "validate-manifest", str(MANIFEST)]
    subprocess.run(command, check=True)


@pytest.mark.parametrize(
    ("content", "validate", "changes"),
    [
        (GOOD, 0, False),
        (GOOD.replace("\n", "\r\n"), 0, True),
        (GOOD.replace("(1)\n#", "(1\n#"), 1, False),
    ],
    ids=["good", "with CR LF", "not valid"],
)
def test_entries(tmp_path: Path, content: str, validate: int, *, changes: bool) -> None:
    """pre-commit calls an entry with file names, and sees whether files changed."""
    path = tmp_path / "key.conll"
    path.write_bytes(content.encode())
    codes = {}
    for name in ("scoref-validate", "scoref-fix"):
        program, *arguments = hooks()[name]["entry"].split()
        command = [str(BIN / program), *arguments, str(path)]
        codes[name] = subprocess.run(command, check=False, capture_output=True).returncode
    assert codes == {"scoref-validate": validate, "scoref-fix": validate}
    assert (path.read_bytes() != content.encode()) is changes


def test_files() -> None:
    """Annotation files, and no others."""
    for hook in hooks().values():
        found = [
            name
            for name in ("a/b.conll", "x.v4_gold_conll", "x.conllu", "x.ann", "x.py", "conll.md")
            if re.search(hook["files"], name)
        ]
        assert found == ["a/b.conll", "x.v4_gold_conll", "x.conllu", "x.ann"]


def configurations() -> list[str]:
    """Return the configurations that the manual shows."""
    page = (REPOSITORY / "docs" / "guides" / "harnesses.md").read_text("utf-8")
    return re.findall(r"^```yaml\n(repos:\n.*?)^```$", page, re.MULTILINE | re.DOTALL)


def test_configurations_of_the_manual() -> None:
    """The hooks exist, and an address that does not exist is marked as the reader's."""
    yaml = pytest.importorskip("yaml")
    found = [repo for text in configurations() for repo in yaml.safe_load(text)["repos"]]
    assert len(found) == 2
    for repo in found:
        assert {hook["id"] for hook in repo["hooks"]} == {*hooks()}
        assert repo["repo"] == "local" or "/YOUR-ORGANISATION/" in repo["repo"]


def test_hooks_of_an_installed_scoref(tmp_path: Path) -> None:
    """pre-commit runs the first configuration of the manual, in a repository of a corpus."""
    pytest.importorskip("pre_commit")
    (tmp_path / ".pre-commit-config.yaml").write_text(configurations()[0], "utf-8")
    (tmp_path / "key.conll").write_bytes(GOOD.replace("\n", "\r\n").encode())
    (tmp_path / "bad.conll").write_text(GOOD.replace("(1)\n#", "(1\n#"), "utf-8")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "run", "--all-files"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", "PRE_COMMIT_HOME": str(tmp_path)},
    )
    assert done.returncode == 1
    assert re.search(r"scoref validate --fix\.*Failed", done.stdout), done.stdout
    assert re.search(r"scoref validate\.*Failed", done.stdout), done.stdout
    assert "bad.conll:3" in done.stdout
    assert (tmp_path / "key.conll").read_bytes() == GOOD.encode()


@pytest.mark.skipif("SCOREF_TRY_REPO" not in os.environ, reason="set SCOREF_TRY_REPO to install it")
def test_try_repo(tmp_path: Path) -> None:
    """pre-commit installs scoref from this repository, and runs both hooks in another one."""
    (tmp_path / "key.conll").write_bytes(GOOD.replace("\n", "\r\n").encode())
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run([*git, "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run([*git, "add", "."], cwd=tmp_path, check=True)
    command = [sys.executable, "-m", "pre_commit", "try-repo", str(REPOSITORY), "--all-files"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert re.search(r"scoref validate\.*Passed", done.stdout), done.stdout
    assert re.search(r"scoref validate --fix\.*Failed", done.stdout), done.stdout
    assert (tmp_path / "key.conll").read_bytes() == GOOD.encode()
