"""The other scorers, run from checkouts that environment variables name, and what they print."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from scoref import Policy
from tests.reference.documents import Files

_RATIO = re.compile(
    r"^(?P<label>\w[\w -]*): Recall: \((\S+) / (\S+)\) (\S+)%"
    r"\tPrecision: \((\S+) / (\S+)\) (\S+)%\tF1: (\S+)%$",
    re.MULTILINE,
)
_EACH_DOCUMENT = "CorScorer::Score(@ARGV[0 .. 2], $_) for @ARGV[3 .. $#ARGV]"


class Line(NamedTuple):
    """What the reference scorer prints of a measure.

    Numerator and denominator of recall, then of precision, with 15 digits; then recall,
    precision and F1 in percent, cut off, not rounded, after two decimals.
    """

    counts: tuple[float, ...]
    percents: tuple[float, ...]

    def says(self, counts: Sequence[float], scores: Sequence[float]) -> bool:
        """Whether it would print this for these counts, and for these scores from 0 to 1."""
        return self.counts == pytest.approx(counts, rel=1e-12, abs=1e-12) and all(
            _cuts(percent, score) for percent, score in zip(self.percents, scores, strict=True)
        )


def _cuts(percent: float, score: float) -> bool:
    """Whether a percentage is a score without what follows its second decimal.

    A score that has no more than two decimals may come out one hundredth too low, since
    the last bit of what is cut decides.
    """
    hundredths = round(percent * 100)
    nearest = round(score * 10_000)
    if abs(score * 10_000 - nearest) < 1e-6:
        return hundredths in (nearest - 1, nearest)
    return hundredths == int(score * 10_000)


Lines = dict[str, Line]
"""What is printed below `TOTALS`, by its label."""


@dataclass(frozen=True, slots=True)
class ReferenceScorer:
    """The CoNLL reference scorer, which is written in Perl."""

    perl: str
    folder: Path

    def totals(self, metric: str, files: Files) -> Lines:
        """Return what it prints of a whole corpus."""
        program = str(self.folder / "scorer.pl")
        (lines,) = self._run(program, metric, *map(str, files), "none")
        return lines

    def documents(self, metric: str, files: Files, headings: Sequence[str]) -> list[Lines]:
        """Return what it prints when asked for one document, for each of them."""
        library = f"-I{self.folder / 'lib'}"
        program = [library, "-MCorScorer", "-e", _EACH_DOCUMENT]
        return self._run(*program, metric, *map(str, files), *headings)

    def refusal(self, metric: str, files: Files) -> str:
        """Return why it refuses to score, or nothing if it does not."""
        command = [self.perl, str(self.folder / "scorer.pl"), metric, *map(str, files), "none"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.stderr if done.returncode else ""

    def printed(self, *arguments: str) -> tuple[int, str]:
        """Return its exit code and all that it prints."""
        command = [self.perl, str(self.folder / "scorer.pl"), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    def _run(self, *arguments: str) -> list[Lines]:
        # Without a fixed seed, documents are summed in another order every time.
        environment = {**os.environ, "PERL_HASH_SEED": "0"}
        done = subprocess.run(
            [self.perl, *arguments], capture_output=True, text=True, check=True, env=environment
        )
        return [_read_lines(part) for part in done.stdout.split("====== TOTALS =======")[1:]]


def _read_lines(text: str) -> Lines:
    lines = {}
    for found in _RATIO.finditer(text):
        label, *numbers = found.groups()
        values = [float(number) for number in numbers]
        counts, percents = (*values[0:2], *values[3:5]), (values[2], values[5], values[6])
        lines[label] = Line(counts, percents)
    return lines


def reference_scorer() -> ReferenceScorer:
    """Find the reference scorer, or skip the test."""
    folder = _checkout("SCOREF_REFERENCE_SCORER", "scorer.pl", "the CoNLL reference scorer v8.01")
    perl = shutil.which("perl")
    if perl is None:
        pytest.skip("the reference scorer needs perl, which is not on the PATH")
    return ReferenceScorer(perl, folder)


_COUNT_WITH_COVAL = """
import json, sys
from coval.conll import reader
from coval.eval import evaluator

key, response, singletons, *metrics = sys.argv[1:]
corpus = reader.get_coref_infos(key, response, keep_singletons=singletons == "keep")
counts = {m: evaluator.get_document_evaluations(corpus, getattr(evaluator, m)) for m in metrics}
print(json.dumps(counts))
"""


_MINIMAL_SPANS_WITH_COVAL = """
import json, sys
from coval.conll import mention, reader

found = []
for lines in json.load(sys.stdin):
    one = mention.Mention("d", 0, 0, len(lines) - 1, [line.split()[3] for line in lines])
    one.set_gold_parse(reader.extract_annotated_parse(lines, 0))
    one.set_min_span()
    found.append(sorted(word for text, _ in one.min_spans for word in text.split()))
print(json.dumps(found))
"""


_MATCHES_WITH_COVAL = """
import contextlib, io, json, sys
from coval.conll import reader
from coval.eval import evaluator

key, response, *metrics = sys.argv[1:]
with contextlib.redirect_stdout(io.StringIO()):
    corpus = reader.get_coref_infos(key, response, min_span=True)
found = []
for information in corpus.values():
    sides = [[m for one in clusters for m in one] for clusters in information[:2]]
    spans = [[(m.sent_num, m.start, m.end) for m in side] for side in sides]
    equal = [
        [spans[0][i], spans[1][j]]
        for i, one in enumerate(sides[0])
        for j, other in enumerate(sides[1])
        if one == other
    ]
    counts = {}
    for name in metrics:
        evaluation = evaluator.Evaluator(getattr(evaluator, name))
        evaluation.update(information)
        pn, pd, rn, rd = evaluation.get_counts()
        counts[name] = [rn, rd, pn, pd]
    collide = any(len(set(side)) < len(side) for side in sides)
    found.append({"spans": spans, "equal": equal, "collide": collide, "counts": counts})
print(json.dumps(found))
"""


class MinimalMatches(NamedTuple):
    """What coval makes of a document by minimal spans.

    `spans` are the mentions of both sides as (sentence, start, end), `equal` the pairs of which
    coval takes the mentions for the same. `collide` says whether two mentions of a side are the
    same. `counts` are those of metrics: recall, then precision.
    """

    spans: list[list[tuple[int, int, int]]]
    equal: set[tuple[tuple[int, int, int], tuple[int, int, int]]]
    collide: bool
    counts: dict[str, list[float]]


@dataclass(frozen=True, slots=True)
class Coval:
    """coval, the scorer of the authors of LEA."""

    folder: Path

    def totals(self, files: Files, *options: str) -> dict[str, list[float]]:
        """Return the recall, precision and F1 in percent that its command prints.

        Of the CoNLL average, it prints a single number.
        """
        printed = self._run(str(self.folder / "scorer.py"), *map(str, files), *options)
        ratio = re.compile(r"^(\w+) +Recall: (\S+)  Precision: (\S+)  F1: (\S+)$", re.MULTILINE)
        average = re.compile(r"^CoNLL score: (\S+)$", re.MULTILINE)
        scores = {name: [float(x) for x in numbers] for name, *numbers in ratio.findall(printed)}
        return {**scores, "conll": [float(x) for x in average.findall(printed)]}

    def documents(
        self, files: Files, metrics: Sequence[str], singletons: str
    ) -> dict[str, list[list[float]]]:
        """Return what its functions count in each document: recall, then precision."""
        arguments = [*map(str, files), singletons, *metrics]
        printed = self._run("-c", _COUNT_WITH_COVAL, *arguments).splitlines()[-1]
        by_column: dict[str, list[list[float]]] = json.loads(printed)
        return {
            name: [[rn, rd, pn, pd] for pn, pd, rn, rd in zip(*columns, strict=True)]
            for name, columns in by_column.items()
        }

    def minimal_matches(self, files: Files, metrics: Sequence[str]) -> list[MinimalMatches]:
        """Return what it makes of each document by minimal spans."""
        printed = self._run("-c", _MATCHES_WITH_COVAL, *map(str, files), *metrics)
        return [
            MinimalMatches(
                [[(s, a, b) for s, a, b in side] for side in one["spans"]],
                {(tuple(key), tuple(response)) for key, response in one["equal"]},
                one["collide"],
                one["counts"],
            )
            for one in json.loads(printed.splitlines()[-1])
        ]

    def minimal_spans(self, mentions: list[list[str]]) -> list[list[str]]:
        """Return the words of the minimal span of mentions that are given as lines of a file."""
        printed = self._run("-c", _MINIMAL_SPANS_WITH_COVAL, given=json.dumps(mentions))
        found: list[list[str]] = json.loads(printed.splitlines()[-1])
        return found

    def _run(self, *arguments: str, given: str = "") -> str:
        environment = {**os.environ, "PYTHONPATH": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            [sys.executable, *arguments],
            capture_output=True,
            text=True,
            check=True,
            env=environment,
            input=given,
        )
        return done.stdout


def coval() -> Coval:
    """Find coval, or skip the test."""
    return Coval(_checkout("SCOREF_COVAL", "scorer.py", "coval"))


_COUNT_WITH_COREFUD = """
import json, logging, sys
from scorer.corefud.reader import CorefUDReader
from scorer.eval import evaluator

logging.disable(logging.CRITICAL)
key, response, settings, *metrics = sys.argv[1:]


def count(match, zeros, singletons):
    reader = CorefUDReader(
        match=match, zero_match_method=zeros, keep_singletons=singletons == "keep", keep_zeros=True
    )
    reader.get_coref_infos(key, response)
    documents, scores = {}, {}
    for name in metrics:
        parts = ["blancc", "blancn"] if name == "blanc" else [name]
        functions = [getattr(evaluator, part) for part in parts]
        rows = documents[name] = []
        for information in reader.doc_coref_infos.values():
            rows.append([])
            for function in functions:
                one = evaluator.Evaluator(function)
                one.update(information)
                rows[-1].extend(map(float, one.get_counts()))
        whole = functions if name == "blanc" else functions[0]
        found = evaluator.evaluate_documents(reader.doc_coref_infos, whole)
        scores[name] = list(map(float, found))
    return documents, scores


print(json.dumps([count(*setting) for setting in json.loads(settings)]))
"""


class Counted(NamedTuple):
    """What corefud-scorer counts in each document, and recall, precision and F1 of all."""

    documents: dict[str, list[list[float]]]
    scores: dict[str, list[float]]


@dataclass(frozen=True, slots=True)
class CorefUD:
    """corefud-scorer, the scorer of the CRAC shared tasks."""

    folder: Path
    python: str

    def count(
        self, files: Files, metrics: Sequence[str], policies: Sequence[Policy]
    ) -> list[Counted]:
        """Return what its functions count, under each policy."""
        names = {"partial": "partial-corefud"}
        settings = [(names.get(p.match, p.match), p.zeros, p.singletons) for p in policies]
        arguments = [*map(str, files), json.dumps(settings), *metrics]
        environment = {**os.environ, "PYTHONPATH": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            [self.python, "-c", _COUNT_WITH_COREFUD, *arguments],
            capture_output=True,
            text=True,
            check=True,
            env=environment,
        )
        return [Counted(*found) for found in json.loads(done.stdout.splitlines()[-1])]


def corefud_scorer() -> CorefUD:
    """Find corefud-scorer, or skip the test.

    It needs udapi, so SCOREF_COREFUD_PYTHON may name an interpreter that has it.
    """
    folder = _checkout("SCOREF_COREFUD", "corefud-scorer.py", "corefud-scorer 1.2")
    return CorefUD(folder, os.environ.get("SCOREF_COREFUD_PYTHON", sys.executable))


_COUNT_WITH_UA = """
import contextlib, io, json, sys
from coval.eval import evaluator
from coval.ua import reader

key, response, split, deixis, only, *metrics = sys.argv[1:]
with contextlib.redirect_stdout(io.StringIO()):
    coreference, expletives, bridges = reader.get_coref_infos(
        key, response, True, split == "score", True, True, deixis == "deixis", False
    )
found = {
    "nonreferring": [evaluator.evaluate_non_referrings({d: expletives[d]}) for d in expletives],
    "bridging": [evaluator.evaluate_bridgings({d: bridges[d]}) for d in bridges],
}
for name in metrics:
    rows = found[name] = []
    for information in coreference.values():
        one = evaluator.Evaluator(getattr(evaluator, name))
        one.update(information)
        rows.append(one.split_antecedent_counter if only == "only" else one.get_counts())
        rows[-1] = [float(number) for number in rows[-1]]
print(json.dumps(found))
"""


@dataclass(frozen=True, slots=True)
class UAScorer:
    """The Universal Anaphora scorer, version 1."""

    folder: Path

    def documents(
        self,
        files: Files,
        metrics: Sequence[str] = (),
        split: str = "ignore",
        layer: str = "identity",
        only: str = "all",
    ) -> dict[str, list[Any]]:
        """Return what it finds in each document.

        Of `nonreferring`, that is recall, precision and F1; of `bridging`, these of anaphors,
        of mentions and of entities; of metrics, what is counted: recall, then precision.
        """
        environment = {**os.environ, "PYTHONPATH": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            [sys.executable, "-c", _COUNT_WITH_UA, *map(str, files), split, layer, only, *metrics],
            capture_output=True,
            text=True,
            check=True,
            env=environment,
        )
        found: dict[str, list[Any]] = json.loads(done.stdout)
        for name in metrics:
            found[name] = [[rn, rd, pn, pd] for pn, pd, rn, rd in found[name]]
        return found


_COUNT_WITH_UA_2 = """
import json, logging, sys
from scorer.eval import evaluator
from scorer.ua.reader import UAReader

logging.disable(logging.CRITICAL)
key, response, *metrics = sys.argv[1:]
reader = UAReader(keep_singletons=True, keep_split_antecedents=True, keep_zeros=True)
reader.get_coref_infos(key, response)
found = {}
for name in metrics:
    rows = found[name] = []
    for information in reader.doc_coref_infos.values():
        one = evaluator.Evaluator(getattr(evaluator, name))
        one.update(information)
        pn, pd, rn, rd = map(float, one.get_counts())
        rows.append([rn, rd, pn, pd])
print(json.dumps(found))
"""


def count_with_ua_2(scorer: CorefUD, files: Files, metrics: Sequence[str]) -> dict[str, Any]:
    """Return what version 2 counts in each document, which is a part of corefud-scorer."""
    environment = {**os.environ, "PYTHONPATH": str(scorer.folder), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [scorer.python, "-c", _COUNT_WITH_UA_2, *map(str, files), *metrics],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def ua_scorer() -> UAScorer:
    """Find the Universal Anaphora scorer, or skip the test."""
    return UAScorer(_checkout("SCOREF_UA_SCORER", "ua-scorer.py", "universal-anaphora-scorer"))


@dataclass(frozen=True, slots=True)
class Neleval:
    """neleval 3.1.1, an evaluation of entity linking that has metrics of coreference."""

    folder: Path
    python: str

    def prepare(self, path: Path, folder: Path) -> Path:
        """Convert a CoNLL file, as its command does, and return the file that it scores."""
        made = folder / f"{path.stem}.tab"
        made.write_text(self.printed("prepare-conll-coref", str(path)), encoding="utf-8")
        return made

    def evaluate(self, files: Files, *options: str) -> dict[str, dict[str, float]]:
        """Return what it counts of two converted files, by its names of metrics."""
        arguments = ["evaluate", "--fmt", "json", *options]
        found: dict[str, dict[str, float]] = json.loads(
            self.printed(*arguments, "-g", str(files.key), str(files.response))
        )
        return found

    def printed(self, *arguments: str) -> str:
        """Return what its command prints."""
        environment = {**os.environ, "PYTHONPATH": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            [self.python, "-W", "ignore", "-m", "neleval", *arguments],
            capture_output=True,
            text=True,
            check=True,
            env=environment,
        )
        return done.stdout


def neleval() -> Neleval:
    """Find neleval, or skip the test.

    It needs Python 3.9 or earlier, NumPy before 1.24 and SciPy, so SCOREF_NELEVAL_PYTHON names an
    interpreter that has them.
    """
    folder = _checkout("SCOREF_NELEVAL", "neleval/__main__.py", "neleval 3.1.1")
    python = os.environ.get("SCOREF_NELEVAL_PYTHON", "")
    if not python:
        pytest.skip("set SCOREF_NELEVAL_PYTHON to a Python 3.9 with numpy<1.24 and scipy")
    return Neleval(folder, python)


def hugging_face_coval(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Load the module `coval` of Hugging Face evaluate as `evaluate.load` does, or skip the test.

    The module is a file of evaluate's repository, and not of its package. It imports coval.
    """
    folder = _checkout("SCOREF_EVALUATE", "metrics/coval/coval.py", "Hugging Face evaluate")
    monkeypatch.setattr(sys, "path", [str(coval().folder), *sys.path])
    monkeypatch.setenv("HF_EVALUATE_OFFLINE", "1")
    evaluate = pytest.importorskip("evaluate", reason="evaluate is not installed")
    return evaluate.load(str(folder / "metrics" / "coval"), cache_dir=str(cache))


def analyser() -> Path:
    """Find the analyser of Kummerfeld & Klein (2013), or skip the test."""
    program = "classify_coreference_errors.py"
    return _checkout("SCOREF_ANALYSER", program, "the Berkeley coreference analyser")


def resolver() -> Path:
    """Find coref-hoi, a resolver with a copy of CorefEvaluator, or skip the test."""
    return _checkout("SCOREF_RESOLVER", "higher_order.py", "coref-hoi")


def cdcr() -> Path:
    """Find the code of Cattan et al. (2021) on coreference across documents, or skip the test."""
    return _checkout("SCOREF_CDCR", "run_scorer.py", "github.com/ariecattan/coref")


def _checkout(variable: str, program: str, what: str) -> Path:
    """Return the folder that an environment variable names."""
    folder = os.environ.get(variable, "")
    if not folder:
        pytest.skip(f"set {variable} to a checkout of {what} to compare with it")
    if not (Path(folder) / program).is_file():
        pytest.fail(f"{variable} is {folder}, where there is no {program}")
    return Path(folder).resolve()
