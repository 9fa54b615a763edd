"""Score one submission, as Codabench and CodaLab do it: score.py INPUT OUTPUT.

INPUT/ref has the key and `task.toml`, INPUT/res has the submission: one file, in any format that
scoref reads. OUTPUT gets

* `scores.json` and `scores.txt`: F1 in percent, and the 95 % interval of the metric that ranks;
* `detailed_results.html`: a report, or the scores alone if the key is hidden;
* `response.counts.json`: for the leaderboard with tests that the organisers make.

A submission that is not valid ends with exit code 1, and a message for its author.
"""

from __future__ import annotations

import html
import json
import math
import os
import signal
import sys
import tomllib
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # threads reserve memory, which is limited below

import scoref

SECONDS = 300
MEMORY = 4 << 30
LARGEST = 50 << 20
"""Limits of processor time, of memory, and of the size of a submission, in seconds and bytes."""


class InvalidSubmissionError(Exception):
    """A submission that cannot be scored, and why."""


def limit_resources():
    """Let the system end this process if a submission takes too much of it."""
    try:
        import resource  # noqa: PLC0415  # it may not exist
    except ImportError:  # Windows has no such limits
        return

    def stop(*_):
        raise InvalidSubmissionError(f"the submission takes more than {SECONDS} seconds")

    signal.signal(signal.SIGXCPU, stop)
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 30))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def find_response(folder):
    """Return the one file of a submission; the platform and some systems add others."""
    added = {"metadata", "__MACOSX"}
    found = [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and not any(
            part in added or part.startswith(".") for part in path.relative_to(folder).parts
        )
    ]
    if len(found) != 1:
        names = ", ".join(path.name for path in found[:5]) or "none"
        raise InvalidSubmissionError(
            f"found {len(found)} files ({names}), expected one in the archive"
        )
    (response,) = found
    if response.is_symlink() or not response.resolve().is_relative_to(folder.resolve()):
        raise InvalidSubmissionError(f"{response.name} is a link, expected a file")
    if response.stat().st_size > LARGEST:
        raise InvalidSubmissionError(f"{response.name} has more than {LARGEST >> 20} MB")
    return response


def score(reference, response):
    """Return the task and the result of a response."""
    task = tomllib.loads((reference / "task.toml").read_text("utf-8"))
    policy = scoref.Policy.like(task["signature"])
    result = scoref.score(
        reference / "key.conll", response, task["metrics"], policy, check_words="always"
    )
    if f"|{task['signature'].split('|')[1]}|" not in result.signature:
        sys.exit(f"the key is not the one of task.toml: {result.signature}")
    return task, result


def percentages(task, result):
    """Return what the leaderboard shows."""
    scores = {name: round(100 * result[name].f1, 4) for name in task["metrics"]}
    interval = result.intervals()[task["rank"]].f1
    for end, value in zip(("low", "high"), interval, strict=True):
        if not math.isnan(value):  # a single document has no interval
            scores[f"{task['rank']}_{end}"] = round(100 * value, 4)
    return scores


def write(output, task, result, response, reference):
    """Write what the platform and the organisers read."""
    scores = percentages(task, result)
    (output / "scores.json").write_text(json.dumps(scores, indent=1) + "\n", "utf-8")
    lines = [f"{name}: {value}\n" for name, value in scores.items()]
    (output / "scores.txt").write_text("".join(lines), "utf-8")
    result.save_counts(output / "response.counts.json")
    details = output / "detailed_results.html"
    if task["details"] == "report":
        policy = scoref.Policy.like(task["signature"])
        report = scoref.report(
            reference / "key.conll", {"response": response}, task["metrics"], policy
        )
        report.save(details, with_text=True)
    else:
        details.write_text(page("Scores", result.render("text")), "utf-8")


def page(title, text):
    """Return an HTML page that shows plain text."""
    return (
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{title}</title>'
        f"<pre>{html.escape(text)}</pre></html>\n"
    )


def main(source, target):
    """Score the submission in a folder, and return the exit code."""
    output = Path(target)
    output.mkdir(parents=True, exist_ok=True)
    try:
        limit_resources()
        response = find_response(Path(source) / "res")
        reference = Path(source) / "ref"
        task, result = score(reference, response)
        write(output, task, result, response, reference)
    except (InvalidSubmissionError, scoref.ScorefError) as error:
        message = str(error)
    except MemoryError:
        message = f"the submission takes more than {MEMORY >> 30} GB of memory"
    else:
        print(f"{task['rank']} F1: {100 * result[task['rank']].f1:.2f}")
        return 0
    message = message.replace(f"{Path(source) / 'res'}{os.sep}", "")
    # What a submission says must not act on the terminal of its reader.
    message = "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in message)
    print(f"The submission was not scored: {message}", file=sys.stderr)
    (output / "detailed_results.html").write_text(page("Not scored", message), "utf-8")
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
