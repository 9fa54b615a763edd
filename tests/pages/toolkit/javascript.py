"""Run the scripts of pages in Node, or in Chromium where Node is missing."""

from __future__ import annotations

import json
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from scoref.pages.toolkit import assets
from tests.pages.report.browser import launched


def evaluate(scripts: tuple[str, ...], function: str, data: object) -> Any:
    """Return what a function in JavaScript makes of some data, after some scripts have run."""
    source = f"{assets('toolkit', *scripts)}\n;"
    if (node := shutil.which("node")) is None:
        with ThreadPoolExecutor(1) as pool:  # Playwright runs once per thread
            return pool.submit(_in_chromium, source, function, data).result()
    code = (
        f"{source}const data = JSON.parse(require('fs').readFileSync(0, 'utf-8'));"
        f"process.stdout.write(JSON.stringify(({function})(data)));"
    )
    done = subprocess.run(
        [node, "--eval", code],
        input=json.dumps(data).encode(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def _in_chromium(source: str, function: str, data: object) -> Any:
    with launched() as browser:
        page = browser.new_page()
        page.goto("about:blank")
        page.evaluate(f"() => {{ {source} }}")
        return json.loads(page.evaluate(f"(data) => JSON.stringify(({function})(data))", data))
