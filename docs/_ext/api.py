"""How autodoc shows the Python API: public names, and a line for each parameter.

Docstrings list parameters and attributes as "* `name`: what it is". The manual shows these lines as
parameters of functions and of classes that users construct, and as attributes of other classes.
"""

from __future__ import annotations

import re

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.inspect import TypeAliasForwardRef

import scoref

# Modules whose names users import; other modules are not shown.
PUBLIC = {
    "scoref",
    "scoref.analysis.presets",
    "scoref.compat",
    "scoref.exceptions",
    "scoref.integrations.counts_vector",
    "scoref.metrics",
    "scoref.spark",
}
# Classes that users construct. The others are returned, so their parameters are of no interest.
CONSTRUCTED = {
    *("Accumulator", "CorefEvaluator", "CorpusBuilder", "CountsVector", "Evaluator", "Family"),
    *("Format", "FormatError", "Key", "Metric", "Policy", "Problem", "ScorefError"),
}
# Types with a long definition, which the page of the API describes in words.
ALIASES = {
    name: name
    for name in (
        *("Checks", "Floats", "Generated", "Input", "Ints", "MetricLike", "OneOrTwo", "PathLike"),
        *("ComparisonOptions", "Correction", "CorrectionFamily", "PolicyLike", "PolicyOptions"),
        *("Read", "SystemInput", "Test", "Unclosed", "Write"),
    )
} | {name: f"scoref.{name}" for name in scoref.__all__ if name[0].isupper()}

_PARAMETER = re.compile(r"^\* ((?:`\w+`(?:, )?)+): (.*)$")
_CODE = re.compile(r"(?<![`:\w])`([^`]+)`(?![`_])")


def _process_docstring(
    _app: Sphinx, what: str, name: str, _object: object, _options: object, lines: list[str]
) -> None:
    """Turn lists of parameters into fields, and Markdown's code into that of reStructuredText."""
    is_class = what == "class"
    field = "ivar" if is_class and name.rpartition(".")[2] not in CONSTRUCTED else "param"
    written: list[str] = []
    names: list[str] = []
    for line in lines:
        if listed := _PARAMETER.match(line):
            names = re.findall(r"`(\w+)`", listed[1])
            starts = not any(one.startswith(":") for one in written)
            written += [""] if starts else []  # a list of fields is a block of its own
            written += [f":{field} {name}: {_code(listed[2])}" for name in names]
        elif names and line.startswith("  "):
            for at in range(1, len(names) + 1):  # the text goes on
                written[-at] += f" {_code(line.strip())}"
        else:
            written += [""] if names and line.strip() else []
            names = []
            written.append(line if line.lstrip().startswith((">>>", "...")) else _code(line))
    lines[:] = written


def _code(text: str) -> str:
    return _CODE.sub(r"``\1``", text)


def _process_signature(
    _app: Sphinx, what: str, name: str, _object: object, _options: object, *_: str | None
) -> tuple[str, None] | None:
    """Leave out the parameters of classes that users do not construct."""
    if what == "class" and name.rpartition(".")[2] not in CONSTRUCTED:
        return "", None
    return None


def _simplify(_app: Sphinx, document: nodes.document) -> None:
    """Show the module of a name only if users import the name from it; call attributes so."""
    for title in document.findall(nodes.field_name):
        if title.astext() == "Variables":
            title.children = [nodes.Text("Attributes")]
    for signature in document.findall(addnodes.desc_signature):
        if signature.get("module") and signature["module"] not in PUBLIC:
            for prefix in list(signature.findall(addnodes.desc_addname)):
                prefix.parent.remove(prefix)


def _name_of_alias(alias: TypeAliasForwardRef) -> str:
    return alias.name


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the hooks."""
    # Inside of other types, an alias is shown by its `repr`.
    TypeAliasForwardRef.__repr__ = _name_of_alias  # type: ignore[method-assign]
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-process-docstring", _process_docstring)
    app.connect("autodoc-process-signature", _process_signature)
    app.connect("doctree-read", _simplify)
    app.config.autodoc_type_aliases = ALIASES
    return {"parallel_read_safe": True, "parallel_write_safe": True}
