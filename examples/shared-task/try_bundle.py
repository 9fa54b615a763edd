"""Do what the platform does with a submission: python try_bundle.py BUNDLE.zip SUBMISSION.zip OUT

The steps are those of Codabench's worker: unpack the bundle and check its files; pass the files of
the submission through the prediction step, which adds a file `metadata`; put reference, result and
scoring program where the platform puts them; run the command of the program, with a limit of time;
read the scores, and compare them with the columns of the leaderboard. The test phase is tried with
`--phase 1`. Only the container is missing: the command runs on this machine.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import yaml  # pip install pyyaml


def files_of(competition):
    """Return every path that the competition names."""
    yield from (competition["image"], competition["terms"])
    yield from (page["file"] for page in competition["pages"])
    for task in competition["tasks"]:
        yield from (task[name] for name in ("scoring_program", "reference_data", "input_data"))
    for phase in competition["phases"]:
        yield from (phase[name] for name in ("starting_kit", "public_data") if name in phase)
    yield from (solution["path"] for solution in competition["solutions"])


def unpack(archive, folder):
    """Unpack an archive into a folder of its own."""
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(folder)
    return folder


def lay_out(bundle, task, submission, root):
    """Put everything into the folders that the scoring program sees."""
    shutil.copytree(bundle / task["scoring_program"], root / "program")
    shutil.copytree(bundle / task["reference_data"], root / "input" / "ref")
    (root / "input" / "res").mkdir()
    unpack(submission, root / "input" / "res")
    status = "elapsedTime: null\nexitCode: null\n"
    (root / "input" / "res" / "metadata").write_text(status, "utf-8")
    (root / "output").mkdir()


def run_program(root, seconds):
    """Run the command of the scoring program, and return its exit code."""
    metadata = yaml.safe_load((root / "program" / "metadata").read_text("utf-8"))
    places = {"$input": "input", "$output": "output", "$program": "program"}
    words = metadata["command"].split()
    for name, place in places.items():
        words = [word.replace(name, str(root / place)) for word in words]
    words[0] = sys.executable  # python3 is that of the image
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    return subprocess.run(
        words, cwd=root / "program", env=environment, timeout=seconds, check=False
    ).returncode


def read_scores(competition, output):
    """Return the row of the leaderboard, or refuse what the platform refuses."""
    if (output / "metadata").exists():
        sys.exit("the scoring program wrote a file `metadata`, which the platform needs")
    scores = json.loads((output / "scores.json").read_text("utf-8"))
    (board,) = competition["leaderboards"]
    columns = {column["key"]: column["title"] for column in board["columns"]}
    if unknown := scores.keys() - columns.keys():
        sys.exit(f"the leaderboard has no column for {', '.join(sorted(unknown))}")
    if not all(math.isfinite(value) for value in scores.values()):
        sys.exit(f"not a number: {scores}")
    if competition["enable_detailed_results"] and not (output / "detailed_results.html").exists():
        sys.exit("no detailed_results.html")
    return {title: scores.get(key, math.nan) for key, title in columns.items()}


def main():
    """Try one submission, and print its row of the leaderboard."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    for name in ("bundle", "submission", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--phase", type=int, default=0)
    options = parser.parse_args()
    root = options.out.resolve()
    bundle = unpack(options.bundle, root / "bundle")
    competition = yaml.safe_load((bundle / "competition.yaml").read_text("utf-8"))
    if missing := [name for name in files_of(competition) if not (bundle / name).exists()]:
        sys.exit(f"the bundle lacks {', '.join(missing)}")
    phase = competition["phases"][options.phase]
    task = competition["tasks"][phase["tasks"][0]]
    lay_out(bundle, task, options.submission, root)
    code = run_program(root, phase["execution_time_limit"])
    if code:
        sys.exit(f"the submission failed: the scoring program ended with exit code {code}")
    for title, value in read_scores(competition, root / "output").items():
        print(f"{title:<8}  {value:6.2f}")


if __name__ == "__main__":
    main()
