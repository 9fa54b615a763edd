"""One model of what is shown, and a writer for each output.

A feature describes itself as a `Page` of tables and remarks, as rows for spreadsheets and as a
dictionary for programs (`model.BaseView`). The modules `text`, `markdown`, `latex`, `csv` and
`json` write any of them. Nothing here computes.
"""

from __future__ import annotations

OUTPUTS = ("text", "json", "csv", "latex", "markdown")
