"""Score real outputs under every practice, and draw the figure: `python docs/practices.py [DATA]`.

DATA (default: ../shared/data) has the corpora; without it, only the figure is drawn again. Texts
stay there: the project has the scores alone, in src/scoref/papers/practices.csv.
"""

from __future__ import annotations

import csv
import io
import math
import sys
from pathlib import Path
from typing import cast

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))

from scoref.papers import find, practices  # noqa: E402
from scoref.papers.exhibits import ExhibitFigure  # noqa: E402
from scoref.views.paper_charts import draw  # noqa: E402

FIGURE = ROOT / "docs" / "figures" / "practices.svg"
SCORES = ROOT / "src" / "scoref" / "papers" / "practices.csv"
OUTPUTS: dict[str, tuple[str, str, dict[str, str]]] = {
    "LitBank": ("litbank/key.conll", "litbank/response.conll", {}),
    "OpenBoek": ("openboek/titaantjes.gold.conll", "openboek/titaantjes.dutchcoref.conll", {}),
    "GerDraCor": (
        "gerdracor/sara_act1.annotator_ja.conll",
        "gerdracor/sara_act1.annotator_ak.conll",
        {},
    ),
    "OntoGUM": (
        "gum/ontogum.key.conll",
        "gum/xrenner.response.conll",
        {"repair": "drop-brackets"},
    ),
    "GUM": ("gum/gum.key.conllu", "gum/xrenner.response.conllu", {}),
    **{
        f"{title} {number}": (
            f"hypercoref/{name}.key.conll",
            f"hypercoref/{name}.{number}.response.conll",
            {},
        )
        for title, name, numbers in (
            ("ECB+", "ecbp", ("01", "03", "04", "07")),
            ("GVC", "gvc", ("00", "02", "05", "06")),
        )
        for number in numbers
    },
}


def applies(practice: practices.ScoringPractice, output: str, scores: dict[str, float]) -> bool:
    """Whether a practice is one for a corpus.

    Without links across documents, they are apart anyway. corefud-scorer requires heads.
    """
    if practice.name == "corefud-scorer's defaults":
        return not math.isnan(scores["heads"])
    return practice.name != "each document apart" or output.startswith(("ECB+", "GVC"))


def compute(data: Path, output: str) -> dict[str, float]:
    """Return the score of an output by practice; NaN where a practice does not apply."""
    key, response, base = OUTPUTS[output]
    found: dict[str, float] = {}
    for practice in practices.PRACTICES:
        is_one = applies(practice, output, found)
        scored = practice.score(data / key, data / response, base) if is_one else math.nan
        found[practice.name] = scored
    return found


def table(data: Path) -> str:
    """Return the scores of all outputs under all practices."""
    columns = {name: compute(data, name) for name in OUTPUTS}
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["practice", *OUTPUTS])
    for practice in practices.PRACTICES:
        values = [columns[name][practice.name] for name in OUTPUTS]
        cells = ["" if math.isnan(value) else f"{value:.6f}" for value in values]
        writer.writerow([practice.name, *cells])
    return stream.getvalue()


def main() -> None:
    """Write the scores if the corpora are there, then the figure."""
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT.parent / "shared" / "data"
    if data.is_dir():
        SCORES.write_text(table(data), "utf-8")
    (exhibit,) = find("practices-fig1")
    made = cast("ExhibitFigure", exhibit.make())
    FIGURE.write_bytes(draw(exhibit, made)[0])


if __name__ == "__main__":
    main()
