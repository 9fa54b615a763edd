"""Make the bundle of a shared task: python make.py OUT

OUT/bundle is the folder with everything, OUT/bundle.zip is what Codabench takes. The development
set is `examples/ferry`, the test set is `examples/island`: for a task of your own, name your keys
below. The texts are the keys without mentions and without any other annotation.
"""

from __future__ import annotations

import runpy
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
KEYS = {
    "development": HERE.parent / "ferry" / "key.conll",
    "test": HERE.parent / "island" / "key.conll",
}
OURS = ("make.py", "try_bundle.py", "README.md", "Containerfile")
TEXTS = ("texts.conll", "texts.jsonl")


def main(out):
    """Write the folder and the archive."""
    bundle = Path(out) / "bundle"
    shutil.rmtree(bundle, ignore_errors=True)
    shutil.copytree(HERE, bundle, ignore=shutil.ignore_patterns(*OURS, "__pycache__"))
    for phase, key in KEYS.items():
        shutil.copyfile(key, bundle / phase / "reference_data" / "key.conll")
        (bundle / phase / "input_data").mkdir()
        for name in TEXTS:
            text = bundle / phase / "input_data" / name
            run("convert", key, "-o", text, "--blind", "--words-only")
    baseline = bundle / "baseline"
    baseline.mkdir()
    resolver = runpy.run_path(str(bundle / "starting_kit" / "resolve.py"))
    texts = bundle / "development" / "input_data" / "texts.jsonl"
    resolver["main"](texts, baseline / "response.jsonl")
    shutil.make_archive(str(bundle), "zip", bundle)
    print(f"{bundle}.zip")


def run(*words):
    """Run scoref."""
    subprocess.run([sys.executable, "-m", "scoref", *map(str, words)], check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
