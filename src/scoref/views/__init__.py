"""One model of what is shown, and a writer for each output.

A feature describes itself as a `Page` of tables and remarks, as rows for spreadsheets and as a
dictionary for programs (`model.BaseView`). The modules `text`, `markdown`, `latex`, `csv` and
`json` write any of them. Nothing here computes.
"""

from __future__ import annotations

OUTPUTS = ("text", "json", "csv", "latex", "markdown")

VIEWS = {
    "Result": "result:ResultView",
    "Comparison": "comparison.view:ComparisonView",
    "Comparison.draw": "comparison.figures:draw_intervals",
    "Comparison.draw_documents": "comparison.figures:draw_documents",
    "DatasetsComparison": "datasets:DatasetsView",
    "Power": "power:PowerView",
    "Power.draw": "comparison.figures:draw_power",
    "Verdict.line": "gate:render_line",
    "Agreement": "agreement:AgreementView",
    "Errors": "errors:ErrorsView",
    "Stress": "stress:StressView",
    "Explanation": "explanation:ExplanationView",
}
"""The view of each class, and the figures of some: a module of this room, and a name in it."""
