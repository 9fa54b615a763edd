"""Counts files: results without text, for scores and tests anywhere.

A counts file is JSON with the policy, the fingerprint of the key, the names of the documents, and
what each metric counted in each document. It contains no words and no spans, so it can be published
for a licensed corpus. The reader checks all of it, and ignores keys that later versions may add.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, NoReturn

import numpy as np

from scoref.base.arrays import Floats
from scoref.base.phrases import counted, listed
from scoref.counts.counted import Counted, as_counted
from scoref.counts.counts import Counts
from scoref.exceptions import FormatError, Problem, UsageError
from scoref.formats.io.output_files import write_whole
from scoref.formats.io.sources import open_source, sources
from scoref.formats.io.text import read_bytes
from scoref.matching.summary import Side
from scoref.metrics import Metric, find_metric
from scoref.policy import Policy, read_signature
from scoref.version import __version__

KIND = "scoref counts"
VERSION = (1, 0)
"""Files with the same first number are readable; the second number grows with new keys."""

_TOLERANCE = 1e-9
_SIDE = ("documents", "mentions", "entities", "duplicates_dropped", "singletons_dropped")
_OTHERS = "others_dropped"


def save(result: Counted, path: str | PathLike[str]) -> None:
    """Write the counts of a result."""
    text = dump(result).encode()
    if str(path).endswith(".gz"):
        import gzip  # noqa: PLC0415  # rarely needed

        text = gzip.compress(text, mtime=0)
    with write_whole(path) as stream:
        stream.write(text)


def dump(result: Counted) -> str:
    """Return the text of a counts file, one line per metric and document."""
    for name, rows in result.counts.rows.items():
        if not np.isfinite(rows).all():
            raise UsageError(f"{name} has counts that are not finite and cannot be saved")
    content: dict[str, Any] = {
        "format": KIND,
        "version": list(VERSION),
        "made_by": f"scoref {__version__}",
        "signature": result.signature,
        "policy": result.policy.stated(),
        "key": {
            "fingerprint": read_signature(result.signature).key,
            **_numbers(result.key),
        },
        "response": _numbers(result.response),
        # A note may quote a mention of the user, and the file must not contain text.
        "notes": [re.sub(r": mention .*", "", note) for note in result.notes],
        "units": list(result.counts.units),
        "metrics": {
            metric.name: {
                "columns": list(metric.columns),
                "rows": result.counts.rows[metric.name].tolist(),
            }
            for metric in result.counts.metrics
        },
    }
    content["checksum"] = checksum(content)
    return _format(content)


def _numbers(side: Side) -> dict[str, int]:
    """Return the numbers of a side; the last one only if a rare policy dropped mentions."""
    names = (*_SIDE, _OTHERS) if side.others_dropped else _SIDE
    return {name: getattr(side, name) for name in names}


def _format(content: Mapping[str, Any]) -> str:
    """Format as readable JSON, one line per key and per row."""
    import json  # noqa: PLC0415  # scoring a response should not pay for it

    def metric(name: str, part: Mapping[str, Any]) -> str:
        rows = ",\n   ".join(json.dumps(row) for row in part["rows"])
        columns = json.dumps(part["columns"])
        return f'  {json.dumps(name)}: {{\n   "columns": {columns},\n   "rows": [\n   {rows}]}}'

    parts = []
    for name, value in content.items():
        shown = json.dumps(value, ensure_ascii=False, allow_nan=False)
        if name == "metrics":
            shown = "{\n" + ",\n".join(metric(*item) for item in value.items()) + "}"
        parts.append(f' "{name}": {shown}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def checksum(content: Mapping[str, Any]) -> str:
    """Hash everything except the checksum itself, independent of the layout."""
    import hashlib  # noqa: PLC0415
    import json  # noqa: PLC0415

    rest = {name: value for name, value in content.items() if name != "checksum"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def load(path: str | PathLike[str], metrics: Iterable[Metric] = ()) -> Counted:
    """Read a counts file; `metrics` are metrics of the user that are not registered."""
    source = sources(path)[0]
    with open_source(source) as stream:
        data = read_bytes(stream)
    reader = _CountsFileReader(source.shown, data)
    policy, fingerprint = reader.policy_and_fingerprint()
    units = tuple(reader.strings("units"))
    if len(set(units)) < len(units):
        raise reader.problem("units with the same name", "each document once")
    found, unknown = reader.metrics({metric.name: metric for metric in metrics})
    found = as_counted(found, policy)
    rows = {metric.name: reader.rows(metric, len(units)) for metric in found}
    reader.check_range([metric for metric in found if metric not in metrics], rows, units)
    notes = reader.strings("notes") if "notes" in reader.content else []
    if reader.made_by != f"scoref {__version__}":
        notes = [*notes, f"{source.shown} was {reader.written}, this is scoref {__version__}"]
    if unknown:
        notes = [*notes, f"{source.shown}: ignored unknown metrics: {listed(unknown)}"]
    return Counted(
        key=reader.side("key", "key"),
        response=reader.side("response", source.shown),
        counts=Counts(units, found, rows),
        policy=policy,
        signature=policy.signature(fingerprint),
        notes=tuple(notes),
    )


class _CountsFileReader:
    """Checks the parts of a counts file, and reports problems."""

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self.content = self._parse(data)
        made_by = self.content.get("made_by")
        self.made_by = made_by if made_by and isinstance(made_by, str) else "an unknown program"
        self.written = f"written by {self.made_by}"
        version = self.content.get("version")
        major, minor = VERSION
        if not (isinstance(version, list) and version[:1] == [major] and len(version) == 2):
            raise self.problem(
                f"version {_shown(version)} of the counts format",
                f"[{major}, {minor}], which scoref {__version__} reads",
                f"the file was {self.written}: upgrade scoref, or count again",
            )
        if self.content.get("checksum") != checksum(self.content):
            raise self.problem(
                "content that does not match its checksum",
                "a file as `scoref count` wrote it",
                "the file was changed or damaged: download it again, or count again",
            )

    def problem(self, found: str, expected: str, hint: str = "") -> FormatError:
        return FormatError([Problem(self.path, 0, found, expected, hint)])

    def _parse(self, data: bytes) -> dict[str, Any]:
        import json  # noqa: PLC0415

        try:
            content = json.loads(data.decode("utf-8-sig"), parse_constant=_refuse_constant)
            json.dumps(content, ensure_ascii=False).encode()  # no halves of characters
        except ValueError as error:
            raise self.problem(f"damaged JSON ({error})", "a complete counts file") from None
        except RecursionError:
            raise self.problem("JSON that nests too deeply", "a counts file") from None
        if not isinstance(content, dict) or content.get("format") != KIND:
            raise self.problem("other JSON", f'a counts file, with "format": "{KIND}"')
        return content

    def mapping(self, name: str) -> dict[str, Any]:
        value = self.content.get(name)
        if not isinstance(value, dict):
            raise self.problem(f'"{name}": {_shown(value)}', "an object")
        return value

    def strings(self, name: str) -> list[str]:
        value = self.content.get(name)
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise self.problem(f'"{name}": {_shown(value)}', "a list of strings")
        return value

    def policy_and_fingerprint(self) -> tuple[Policy, str]:
        """Return the policy, and the fingerprint of the key; the signature must state the same."""
        fingerprint = self.mapping("key").get("fingerprint")
        try:
            policy = Policy.of(self.mapping("policy"))
            stated = read_signature(str(self.content.get("signature")))
        except UsageError as error:
            raise self.problem(
                f"an invalid policy or signature ({error.message})",
                f"those that scoref {__version__} knows",
                f"the file was {self.written}",
            ) from None
        if (stated.key, stated.policy) != (fingerprint, policy):
            raise self.problem(
                "a signature that states another key or policy than the file",
                f"the signature {policy.signature(str(fingerprint))}",
            )
        return policy, stated.key

    def side(self, name: str, source: str) -> Side:
        values = self.mapping(name)
        numbers = [values.get(field) for field in _SIDE]
        numbers.append(values.get(_OTHERS, 0))
        if not all(type(number) is int and number >= 0 for number in numbers):
            expected = f"{', '.join(_SIDE)} as whole numbers of at least 0"
            raise self.problem(f'"{name}" without all of its numbers', expected)
        return Side(source, *numbers)  # type: ignore[arg-type]  # they have been checked

    def check_range(
        self, metrics: Iterable[Metric], rows: Mapping[str, Floats], units: Sequence[str]
    ) -> None:
        """Refuse counts that are negative or exceed their denominators."""
        for metric in metrics:
            if found := _outside(metric, rows[metric.name]):
                unit, what = found
                raise self.problem(
                    f"{what} in the counts of {metric.name}, document {units[unit]}",
                    "counts that a response can have",
                    "the file was changed after counting: count again",
                )

    def metrics(self, own: Mapping[str, Metric]) -> tuple[tuple[Metric, ...], list[str]]:
        """Return the known metrics of a file, and the names of its unknown metrics."""
        found, unknown = [], []
        for name, part in self.mapping("metrics").items():
            metric = own.get(name) or _find(name)
            if not isinstance(metric, Metric):
                unknown.append(metric)
                continue
            columns = part.get("columns") if isinstance(part, dict) else None
            if columns != list(metric.columns):
                raise self.problem(
                    f"{name} with the columns {_shown(columns)}",
                    f"the columns {', '.join(metric.columns)}",
                    f"the file was {self.written}, this is scoref {__version__}: count again",
                )
            found.append(metric)
        if not found:
            raise self.problem("no known metric", "counts of at least one known metric")
        return tuple(found), unknown

    def rows(self, metric: Metric, units: int) -> Floats:
        rows = self.content["metrics"][metric.name].get("rows")
        try:
            # NumPy would convert texts and truth values.
            numbers = [row if set(map(type, row)) <= {int, float} else None for row in rows]
            array = np.array(numbers, dtype=np.float64).reshape(len(rows), len(metric.columns))
        except (TypeError, ValueError, OverflowError):
            raise self.problem(
                f"rows of {metric.name} that are not all {len(metric.columns)} numbers",
                "one row of numbers per unit",
            ) from None
        if len(array) != units or not np.isfinite(array).all():
            raise self.problem(
                f"{counted(len(array), 'row')} of {metric.name}",
                f"{counted(units, 'row')} of finite numbers, one per unit",
            )
        return array


def _outside(metric: Metric, rows: Floats) -> tuple[int, str] | None:
    """Return a unit with a count below 0 or a score out of range, and what is wrong."""
    if len(negative := np.argwhere(rows < -_TOLERANCE)):
        unit, column = negative[0].tolist()
        return unit, f"a negative {metric.columns[column]}, {rows[unit, column]:g}"
    for part, counts in metric.split_parts(rows):
        scores = part.scores(counts, "skip")
        highest = np.inf if part.is_distance else 1 + _TOLERANCE
        outside = (scores > highest) | (scores < part.lowest - _TOLERANCE)
        if len(found := np.argwhere(outside)):
            unit, which = found[0].tolist()
            name = ("recall", "precision", "F1")[which]
            return unit, f"a {name} of {scores[unit, which]:g}"
    return None


def _find(name: str) -> Metric | str:
    """Return a registered metric, or its name with the reason why a package cannot provide it."""
    try:
        metric = find_metric(name)
    except UsageError as error:
        is_unknown = error.message.startswith("unknown metric")
        return name if is_unknown else f"{name} ({error.message})"
    return metric if metric.name == name else name


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def _shown(value: object) -> str:
    import json  # noqa: PLC0415

    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
