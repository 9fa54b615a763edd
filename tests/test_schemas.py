"""The JSON of every command is what its schema in the manual says, and the schema has every key."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scoref.cli import main
from scoref.cli.command import find_command
from scoref.cli.commands import COMMANDS
from tests.conftest import REPOSITORY
from tests.manual_pages import MANUAL

jsonschema = pytest.importorskip("jsonschema", reason="the group `test` has it")

SCHEMAS = MANUAL / "reference" / "schemas"
ISLAND = REPOSITORY / "examples" / "island"
BIRDS = REPOSITORY / "examples" / "birds"
KEY, SIEVE, NEURAL = (str(ISLAND / f"{name}.conll") for name in ("key", "sieve", "neural"))
CHAT = str(ISLAND / "chat.jsonl")
RUNS = "ranker=" + ",".join(str(ISLAND / "runs" / f"seed{seed}.json") for seed in (1, 2))
PRESETS = str(REPOSITORY / "examples" / "presets")
FEW = ["--trials", "100"]
COUNTS = [str(BIRDS / f"{bird}.counts.json") for bird in ("crane", "gull")]
SMALL = ["-m", "conll"]

# What is run for each schema; `{folder}` is a folder for files that a command writes.
OUTPUTS: dict[str, list[list[str]]] = {
    "score": [
        ["score", KEY, SIEVE],
        ["score", KEY, SIEVE, "--intervals", "--per-document", *SMALL, *FEW],
        ["score", KEY, CHAT, "--markup", "auto"],
    ],
    "compare": [
        ["compare", KEY, SIEVE, NEURAL, RUNS, "--equivalent", "1", *FEW, *SMALL, "-m", "muc"],
        ["compare", KEY, SIEVE, NEURAL, "--baseline", "sieve", *FEW, "-m", "ceafe", "-m", "muc"],
        ["compare", KEY, SIEVE, CHAT, "--markup", "auto", *FEW, *SMALL],
        ["compare", *COUNTS, *FEW],
        # One document allows neither intervals nor tests.
        ["compare", KEY, SIEVE, NEURAL, "--unit", "corpus", *SMALL],
    ],
    "compare-datasets": [["compare", *FEW, *SMALL, "--datasets", "{folder}/datasets.toml"]],
    "gate": [
        ["gate", KEY, SIEVE, NEURAL, "-m", "conll,muc"],
        ["gate", *COUNTS],
        ["gate", KEY, NEURAL, SIEVE],
    ],
    "power": [
        ["power", KEY, SIEVE, NEURAL],
        ["power", KEY, SIEVE, "--difference", "1", *SMALL],
        ["power", KEY, SIEVE, RUNS, *SMALL],
    ],
    "agreement": [
        ["agreement", KEY, str(ISLAND / "second.conll"), *SMALL, *FEW],
        ["agreement", KEY, str(ISLAND / "second.conll"), *SMALL, "--unit", "corpus"],
    ],
    "explain": [
        ["explain", KEY, SIEVE, "-m", "all", "--top", "2"],
        ["explain", KEY, SIEVE, "--document", "news/oven"],
    ],
    "errors": [["errors", KEY, SIEVE], ["errors", KEY, SIEVE, "--mode", "kk2013", *SMALL]],
    "stats": [["stats", KEY, CHAT.replace("chat.jsonl", "runs/seed1.json")]],
    "curves": [["curves", KEY, SIEVE, "--points", "3"]],
    "slices": [
        ["slices", KEY, SIEVE, "--by", "type", "--by", "genre"],
        ["slices", KEY, SIEVE, NEURAL, "--by", "length", "--meaning", "share", "-m", "b3"],
    ],
    "slices-preset": [
        ["slices", f"{PRESETS}/gap.tsv", f"{PRESETS}/gap.answers.tsv", "--preset", "gap"],
        [
            "slices",
            f"{PRESETS}/winobias/key",
            f"{PRESETS}/winobias/response",
            "--preset",
            "winobias",
        ],
        ["slices", f"{PRESETS}/winopron.tsv", "--preset", "winopron"],
        [
            *(
                "slices",
                f"{PRESETS}/mei.key.json",
                f"{PRESETS}/mei.response.json",
                "--preset",
                "mei",
            ),
            *("--entities", f"{PRESETS}/mei.entities.json"),
        ],
    ],
    "seams": [["seams", KEY, SIEVE, "--window", "20"]],
    "stress": [["stress", KEY, SIEVE]],
    "sweep": [["sweep", KEY, SIEVE], ["sweep", KEY, SIEVE, NEURAL, *SMALL]],
    "estimate": [["estimate", KEY, SIEVE, "--missing", "singleton"]],
    "sample": [
        ["sample", KEY, "-n", "5", "--by", "entity"],
        ["sample", KEY, "-n", "5", "--pilot", KEY, "--response", KEY, "--by", "entity"],
    ],
    "papers": [["papers", "rh2011"], ["papers", "ms2016"]],
}
CASES = [(name, arguments) for name, runs in OUTPUTS.items() for arguments in runs]


def read_schema(name: str) -> dict[str, Any]:
    """Read a schema of the manual."""
    content: dict[str, Any] = json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8"))
    return content


def closed(schema: Any) -> Any:
    """Return a schema that refuses keys that it does not describe."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: closed(part) for name, part in schema.items()}
    if isinstance(found.get("properties"), dict) and "type" in found:
        found["additionalProperties"] = False
    return found


def check(name: str, content: Any) -> None:
    """Validate content, with and without keys that the schema does not describe."""
    schema = read_schema(name)
    for one in (schema, closed(schema)):
        jsonschema.Draft202012Validator(one).validate(content)


@pytest.mark.parametrize("path", sorted(SCHEMAS.iterdir()), ids=lambda path: path.name)
def test_schemas_are_valid_and_shown(path: Path) -> None:
    """Each is JSON Schema, describes every key, and is on the page."""
    schema = json.loads(path.read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    name = path.name.removesuffix(".schema.json")
    page = "counts-files.md" if name == "counts" else "json.md"
    text = (MANUAL / "reference" / page).read_text("utf-8")
    assert f"```{{schema}} {name}\n```" in text


def test_every_command_with_json_has_a_schema() -> None:
    """A new command with `--to json` gets a schema too."""
    with_json = {
        name
        for name in COMMANDS
        for flag in find_command(name).flags
        if flag.names[-1] == "--to" and "json" in flag.values
    }
    assert with_json == {arguments[0] for _, arguments in CASES}


@pytest.mark.parametrize(
    ("name", "arguments"), CASES, ids=[f"{name}-{at}" for at, (name, _) in enumerate(CASES)]
)
def test_output_is_as_the_schema_says(
    name: str, arguments: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Of the real output, for inputs that make every optional key appear."""
    words = [word.format(folder=tmp_path) if "{" in word else word for word in arguments]
    table = f'key = "{KEY}"\nsystems = {{a = "{SIEVE}", b = "{NEURAL}"}}\n'
    datasets = "".join(f"[{dataset}]\n{table}" for dataset in ("one", "two"))
    (tmp_path / "datasets.toml").write_text(datasets, "utf-8")
    assert main([*words, "--to", "json"]) in (0, 1, 3)
    check(name, json.loads(capsys.readouterr().out))


def test_each_line_of_jsonl_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    """The only output with several objects."""
    assert main(["errors", KEY, SIEVE, "--to", "jsonl"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines
    for line in lines:
        check("error", json.loads(line))


def test_the_fidelity_is_as_the_schema_says(tmp_path: Path) -> None:
    """The only JSON that is written beside another output."""
    fidelity = tmp_path / "fidelity.json"
    words = ["align", KEY, CHAT, "-o", str(tmp_path / "aligned.conll"), "--changes"]
    assert main([*words, "--fidelity", str(fidelity)]) == 0
    check("align", json.loads(fidelity.read_text("utf-8")))


@pytest.mark.parametrize("policy", [[], ["--nested", "drop"]])
def test_counts_files_are_as_the_schema_says(policy: list[str], tmp_path: Path) -> None:
    """Also with mentions that a rare policy dropped."""
    counts = tmp_path / "counts.json"
    assert main(["count", KEY, SIEVE, "-o", str(counts), *policy]) == 0
    check("counts", json.loads(counts.read_text("utf-8")))


def test_a_wrong_output_is_refused() -> None:
    """The schemas are not empty: what is missing, or of another type, is found."""
    content = {"signature": "scoref|x", "f1": {}, "rewards_what_is_wrong": []}
    with pytest.raises(jsonschema.ValidationError):
        check("stress", content)
    with pytest.raises(jsonschema.ValidationError):
        check("stress", {**content, "notes": "none"})
    check("stress", {**content, "notes": []})
    jsonschema.validate({**content, "notes": [], "later": 1}, read_schema("stress"))
