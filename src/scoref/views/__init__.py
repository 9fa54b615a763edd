"""One model of what is shown, and a writer for each output.

A feature describes itself as a `Page` of tables and remarks, as rows for spreadsheets and as a
dictionary for programs (`model.BaseView`). A module of `writers` writes any of them as text,
Markdown, LaTeX, CSV or HTML. Nothing here computes.
"""

from __future__ import annotations

OUTPUTS = ("text", "json", "csv", "latex", "markdown")

VIEWS = {
    "Result": "result:ResultView",
    "Intervals": "result:IntervalsView",
    "Comparison": "comparison:ComparisonView",
    "Comparison.draw": "charts:draw_intervals",
    "Comparison.draw_documents": "charts:draw_documents",
    "DatasetsComparison": "datasets:DatasetsView",
    "Power": "power:PowerView",
    "Power.draw": "charts:draw_power",
    "Verdict.line": "gate:render_line",
    "Agreement": "agreement:AgreementView",
    "Curves": "curves:CurvesView",
    "Curves.draw": "curves:draw_curves",
    "DrawnSample": "estimates:DrawnSampleView",
    "Errors": "errors:ErrorsView",
    "Estimates": "estimates:EstimatesView",
    "PresetScores": "presets:PresetView",
    "Seams": "seams:SeamsView",
    "Slices": "slices:SlicesView",
    "Slices.draw": "slices:draw_slices",
    "Stress": "stress:StressView",
    "Sweep": "sweep:SweepView",
    "Explanation": "explanation:ExplanationView",
}
"""The view of each class, and the figures of some: a module of this room, and a name in it."""
