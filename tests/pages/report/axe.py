"""axe-core, which finds what readers with impairments cannot use; for the tests only.

It comes from npm, once, into `build/axe`, which git ignores. Without npm these tests are skipped.
"""

from __future__ import annotations

import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import REPOSITORY

_VERSION = "4.10.2"
_FILE = REPOSITORY / "build" / "axe" / f"axe-{_VERSION}.js"


def axe_source() -> str:
    """Return the program, or skip and say what is missing."""
    if not _FILE.exists():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("npm is not installed, so axe-core cannot be fetched")
        _FILE.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=_FILE.parent) as folder:
            command = [npm, "pack", f"axe-core@{_VERSION}", "--silent"]
            done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
            (archive, *_) = [*Path(folder).glob("*.tgz"), None]
            if done.returncode or archive is None:
                pytest.skip("npm could not fetch axe-core")
            with tarfile.open(archive) as packed:
                found = packed.extractfile("package/axe.min.js")
                assert found is not None
                part = Path(folder) / "axe.js"
                part.write_bytes(found.read())
            part.replace(_FILE)
    return _FILE.read_text("utf-8")


def serious_findings(page: Any, *rules: str) -> list[str]:
    """Return what axe-core calls serious or critical on the page, by some rules or all."""
    if not page.evaluate("typeof window.axe === 'object'"):
        page.evaluate(axe_source())
    options = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
    result = page.evaluate("options => axe.run(document, options)", options)
    return [
        f"{one['id']}: {node['target'][0]} ({node['failureSummary'].splitlines()[-1].strip()})"
        for one in result["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"][:3]
    ]
