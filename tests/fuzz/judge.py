"""The judge: what scoref makes of a file, against a strict reader and the file before damage."""

from __future__ import annotations

import os
import re
import shutil
import traceback
import warnings
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from io import BytesIO, StringIO
from pathlib import Path
from random import Random
from time import monotonic
from types import TracebackType
from typing import Any, Self

import scoref
from scoref.cli import main
from scoref.corpus.corpus import Corpus
from scoref.exceptions import Problem, ScorefError
from scoref.formats.corpus_reader import inspect
from scoref.formats.format import Wanted
from scoref.formats.registry import find_format, format_of_file
from tests.fuzz.damage import damage
from tests.fuzz.generators import GENERATORS
from tests.fuzz.limits import (
    MEGABYTES,
    QUICK,
    SECONDS,
    SlowInputError,
    limits,
    make_folder,
    peak_megabytes,
)
from tests.fuzz.readings import (
    canonical,
    check_sense,
    mentions_of,
    same_mentions,
    show,
    sizes_of,
    without_values,
)
from tests.reference.strict import READERS
from tests.reference.strict.reading import Files, InvalidFileError, agree

os.environ["SCOREF_RAISE"] = "1"  # commands raise what they do not expect

REFUSED, SAME, NOTED = "refused", "same", "noted"
SILENT, CRASH, HANG, MESSAGE = "silent", "crash", "hang", "message"
FAILURES = (SILENT, CRASH, HANG, MESSAGE)
VERDICTS = (REFUSED, SAME, NOTED, *FAILURES)

UNDAMAGED = 0.03
"""The share of inputs that are not damaged, which must be read."""
LEAST_BLOCK = 400
"""Bytes of a small block. A file of which only the first line fits has no token to compare with."""
IN_BLOCKS = ("conll", "corefud", "conllua", "conllua-deixis")
"""Formats whose files are read a block of lines at a time."""
WRITTEN = [name for name in GENERATORS if find_format(name).write is not None]
"""Formats that scoref writes."""
EXIT_CODES, NO_MEMORY = (0, 1, 2), "not enough memory"
COMPANIONS = {"brat": (".txt",), "booknlp": (".tokens",)}
SUFFIXES = {"brat": ".ann", "booknlp": ".entities", "spacy": ".spacy", "parquet": ".parquet"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one input, and what identifies its kind of failure."""

    kind: str
    reason: str = ""
    detail: str = ""

    @property
    def signature(self) -> tuple[str, str]:
        """Equal for failures that probably have one cause."""
        return self.kind, self.reason


@dataclass(frozen=True, slots=True)
class FuzzInput:
    """A file before and after damage."""

    format: str
    original: Files
    files: Files
    damage: tuple[str, ...]
    number: int = 0


def draw_input(seed: str, name: str, number: int) -> FuzzInput:
    """Draw the input of a number: equal seeds and numbers give equal files."""
    rng = Random(f"{seed}:{name}:{number}")  # not a secret
    original = GENERATORS[name](rng)
    if rng.random() < UNDAMAGED:
        return FuzzInput(name, original, original, (), number)
    files, applied = damage(original, rng)
    return FuzzInput(name, original, files, applied, number)


def detected_format(path: Path) -> str | None:
    """Return the format of a file, or None if the file is refused before it is known."""
    try:
        return format_of_file(path)
    except ScorefError:
        return None


def where_raised(error: BaseException) -> str:
    """Return the innermost place in the package."""
    places = [
        f"{Path(frame.filename).name}:{frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
        if "scoref" in Path(frame.filename).parts
    ]
    return places[-1] if places else "?"


@dataclass(slots=True)
class Judge:
    """Judges inputs in a folder of its own."""

    read: Callable[..., tuple[Corpus, list[Problem]]] = inspect
    folder: Path = field(default_factory=make_folder)
    every: int = 8
    """Of how many inputs one is also scored; of ten times as many, one goes through commands."""
    peak: float = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def write(self, one: str, name: str, files: Files) -> Path:
        """Write a file, and the files next to it."""
        suffix = SUFFIXES.get(name, "")
        for beside in COMPANIONS.get(name, ()):
            (self.folder / f"{one}{beside}").unlink(missing_ok=True)
        for beside, data in files.items():
            (self.folder / f"{one}{beside or suffix}").write_bytes(data)
        return self.folder / f"{one}{suffix}"

    def judge(self, given: FuzzInput) -> Verdict:
        """Return the verdict on one input."""
        before = self.peak = self.peak or peak_megabytes()
        began = monotonic()
        try:
            with limits(SECONDS), warnings.catch_warnings():
                warnings.simplefilter("error")
                verdict = self.compare(given)
        except SlowInputError as error:
            return Verdict(HANG, f"more than {SECONDS:g} s in {where_raised(error)}")
        except MemoryError as error:
            return Verdict(HANG, f"out of memory in {where_raised(error)}")
        except Exception as error:  # noqa: BLE001
            kind = type(error).__name__
            detail = f"{kind}: {str(error)[:200]}"
            return Verdict(CRASH, f"{kind} in {where_raised(error)}", detail)
        if monotonic() - began < QUICK:
            return verdict
        self.peak = peak_megabytes()
        if self.peak - before > MEGABYTES:
            return Verdict(HANG, f"more than {MEGABYTES} MB")
        return verdict

    def compare(self, given: FuzzInput) -> Verdict:
        """Read a file by name, by detection and with words, and compare what is read."""
        path = self.write("x", given.format, given.files)
        named = self.look(path, given.format, given)
        if isinstance(named, Verdict):
            found = named
            if not given.damage and found.kind == REFUSED:
                return Verdict(MESSAGE, "refuses a file without damage", found.detail)
        else:
            found = self.against_strict(given, named, given.format)
        if found.kind in FAILURES:
            return found
        if given.format in IN_BLOCKS and given.number % 2 and not self.same_in_blocks(given, named):
            return Verdict(SILENT, "other mentions or problems in small blocks")
        if (other := self.detected(path, given, named)) is not None:
            return other
        if isinstance(named, Verdict) and given.number % 4:
            return found  # it is refused with words too, as every fourth input shows
        words = self.look(path, given.format, given, Wanted(frozenset({"word", "pos", "speaker"})))
        if isinstance(words, Corpus) and isinstance(named, Corpus):
            if canonical(words) != canonical(named):
                return Verdict(SILENT, "other mentions if words are read")
        elif isinstance(words, Verdict) and words.kind in FAILURES:
            return words
        elif isinstance(words, Corpus):
            return Verdict(SILENT, "read with words, refused without")
        if given.number % self.every == 0 and isinstance(named, Corpus):
            self.score(path, given)
            if given.number % (self.every * 10) == 0:
                return self.commands(path, given, named) or found
        return found

    def same_in_blocks(self, given: FuzzInput, named: Corpus | Verdict) -> bool:
        """Whether a file that is divided somewhere is read as in one block.

        Between sentences, as real blocks are: lines of one sentence that changed places are found
        if one block has both.
        """
        data, chosen = given.files[""], find_format(given.format)
        sentence = max(map(len, re.split(rb"\n\r?\n|\n#", data)))
        size = max(LEAST_BLOCK, sentence + 2) + given.number * 37 % (len(data) + 1)
        read: Any = chosen.read
        corpus, problems = read(BytesIO(data), "x", Wanted().of(chosen), size=size)
        if isinstance(named, Verdict) or problems:
            return isinstance(named, Verdict) and bool(problems)
        return canonical(corpus) == canonical(named)

    def look(
        self, path: Path, name: str | None, given: FuzzInput, wanted: Wanted | None = None
    ) -> Corpus | Verdict:
        """Read a file: a corpus that makes sense, or a refusal that says what to do."""
        try:
            corpus, problems = self.read(path, name, wanted)
        except ScorefError as error:
            return Verdict(REFUSED if error.message else MESSAGE, "no message", str(error))
        if not problems:
            check_sense(corpus)
            return corpus
        lines = given.files[""].count(b"\n") + given.files[""].count(b"\r") + 1
        for one in problems:
            if not (one.path and one.found and one.expected):
                return Verdict(MESSAGE, "a message without found or expected", str(one))
            if len(str(one)) > 1200:
                return Verdict(MESSAGE, "a message that is too long", str(one)[:200])
            if one.line > lines and len(given.files) == 1 and given.format != "parquet":
                return Verdict(MESSAGE, "a message with a line after the end", str(one))
        return Verdict(REFUSED, "", str(min(problems)))

    def against_strict(self, given: FuzzInput, corpus: Corpus, name: str) -> Verdict:
        """Compare what was read with the strict reader of a format."""
        ours = canonical(corpus)
        try:
            strict = READERS[name](given.files)
        except InvalidFileError as error:
            # A file of another column, such as conllua for conllua-deixis, has mentions of its own.
            own = name if given.format.startswith(f"{name}-") else given.format
            before = READERS[own](given.original)
            reason = f"reads what is invalid: {without_values(str(error))}"
            if same_mentions(ours, before):
                return Verdict(SAME, reason)
            return self.unless_noted(given, corpus, Verdict(SILENT, reason, show(ours, before)))
        if agree(ours, strict):
            return Verdict(SAME)
        reason = f"reads other mentions ({given.damage[-1] if given.damage else 'no damage'})"
        return self.unless_noted(given, corpus, Verdict(SILENT, reason, show(ours, strict)))

    def unless_noted(self, given: FuzzInput, corpus: Corpus, verdict: Verdict) -> Verdict:
        """Return the verdict, unless a note says what the file before damage did not need."""
        whole, _ = self.read(self.write("whole", given.format, given.original), given.format)
        new = self.notes_without_files(corpus) - self.notes_without_files(whole)
        return Verdict(NOTED) if new else verdict

    def notes_without_files(self, corpus: Corpus) -> set[str]:
        """Return notes without files and lines: a note that only names another file is not new."""
        files = re.compile(rf"{re.escape(str(self.folder))}/(?:x|whole)(?:\.\w+)?(?::\d+)?")
        return {files.sub("", note) for note in corpus.notes}

    def detected(self, path: Path, given: FuzzInput, named: Corpus | Verdict) -> Verdict | None:
        """Check that a damaged file is not read as one of another format."""
        if given.number % self.every and detected_format(path) == given.format:
            return None  # the same reader reads the same bytes
        other = self.look(path, None, given)
        if isinstance(other, Verdict):
            return other if other.kind in FAILURES else None
        name = detected_format(path)
        if name is None:
            return Verdict(SILENT, "read without a format")
        if name == given.format and isinstance(named, Corpus):
            return None
        if name == given.format:
            return Verdict(SILENT, "read if detected, refused if named")
        if isinstance(named, Corpus) and canonical(named) == canonical(other):
            return None
        # What is left of a file can be a valid list of clusters, which is nothing but a list.
        related = name == given.format.partition("-")[0] or {name, given.format} == {"csv", "tsv"}
        if related or name == "clusters":
            found = self.against_strict(given, other, name)
            return found if found.kind == SILENT else None
        before = READERS[given.format](given.original)
        if same_mentions(canonical(other), before) or not len(other):
            return None
        silent = Verdict(SILENT, f"detected as {name}", show(canonical(other), before))
        return None if self.unless_noted(given, other, silent).kind == NOTED else silent

    def score(self, path: Path, given: FuzzInput) -> None:
        """Score the damaged file against the whole one, both ways: refused or scored."""
        whole = self.write("whole", given.format, given.original)
        for key, response in ((whole, path), (path, whole)):
            try:
                scoref.score(key, response, ["muc", "ceafe", "lea"], format=given.format)
            except ScorefError:
                continue

    def commands(self, path: Path, given: FuzzInput, corpus: Corpus) -> Verdict | None:
        """Run commands on the file, and convert it to one of the formats that are written."""
        whole = self.write("whole", given.format, given.original)
        for arguments in (
            ["validate", str(path)],
            ["stats", str(path)],
            ["errors", str(whole), str(path)],
            ["explain", str(whole), str(path), "-m", "b3"],
            ["report", str(whole), str(path), "-o", str(self.folder / "r.html")],
        ):
            code, said = run_command([*arguments, "--format", given.format])
            if code not in EXIT_CODES or NO_MEMORY in said:
                return Verdict(CRASH, f"exit code {code} of {arguments[0]}", said[:300])
        target = WRITTEN[given.number // (self.every * 10) % len(WRITTEN)]
        return self.convert(path, given, corpus, target)

    def convert(self, path: Path, given: FuzzInput, corpus: Corpus, target: str) -> Verdict | None:
        """Convert the file: what was written reads back as the same."""
        out = self.folder / "converted"
        for old in self.folder.glob("converted*"):
            old.unlink()
        code, said = run_command(
            ["convert", str(path), "-o", str(out), "--to", target, "--format", given.format]
        )
        if code not in EXIT_CODES or NO_MEMORY in said:
            return Verdict(CRASH, f"exit code {code} of convert", said[:300])
        if not out.exists():
            return None
        again, problems = self.read(out, target)
        if problems:
            return Verdict(SILENT, f"converts to {target} that is refused", str(problems[0]))
        expected, written = (mentions_of(canonical(one)) for one in (corpus, again))
        same = expected == written
        if re.search(r"cannot hold (\S+ mention names?: renamed|the place of)", said):
            # Other names or places, as it said, but as many in as many entities.
            same = sizes_of(expected) == sizes_of(written)
        if not same:
            detail = show(canonical(again), canonical(corpus))
            return Verdict(SILENT, f"converts to {target} with other mentions", detail)
        return None


def run_command(arguments: list[str]) -> tuple[int, str]:
    """Run a command, and return its exit code and what it said on standard error."""
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()) as said:
        try:
            code = main(arguments)
        except SystemExit as stop:
            code = int(stop.code or 0)
    return code, said.getvalue()
