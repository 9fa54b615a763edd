"""How the manual is built. Some pages are made from the program itself, so that they stay true."""

from __future__ import annotations

import sys
from pathlib import Path

from scoref import __version__
from scoref.metrics import DEFAULT, FAMILIES
from scoref.metrics.names import format_parameter
from scoref.playground import write_playground

project = "scoref"
author = "The scoref developers"
copyright = author  # noqa: A001  # Sphinx wants this name
release = version = __version__

sys.path.insert(0, str(Path(__file__).parent / "_ext"))
extensions = [
    "api",  # our own extensions, in docs/_ext
    "commands",
    "policies",
    "schemas",
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx-mathjax-offline",  # formulas are typeset without a network
]
myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
# The prompts of examples belong to what is shown, and no link is looked up on the network.
suppress_warnings = ["myst.header"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"scoref {release}"
html_static_path = ["_static"]
html_css_files = ["manual.css"]
# What the copy button of a console copies: commands, without prompts and output.
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented_params"
python_use_unqualified_type_names = True

GENERATED = Path(__file__).parent / "_generated"


def metrics() -> str:
    """Describe every built-in metric."""
    parts = []
    for family in FAMILIES.values():
        metric = family.metric({})
        about = metric.about
        if about is None:
            continue
        facts = ["Scored by default."] if family.name in DEFAULT else []
        if family.parameters:
            defaults = ", ".join(
                f"{name}={format_parameter(value)}" for name, value in family.parameters.items()
            )
            facts.append(f"Parameters and their defaults: `{defaults}`.")
        if family.aliases:
            facts.append(f"Also called {', '.join(family.aliases)}.")
        rows = {
            "Formula": about.formula,
            "Paper": about.paper,
            "Rewards": about.rewards,
            "Ignores": about.ignores,
            "Counts": ", ".join(f"`{column}`" for column in metric.columns),
            **({"Needs": ", ".join(sorted(metric.needs))} if metric.needs else {}),
        }
        heading = f"### `{family.name}`: {about.title}"
        listed = [f"{name}\n: {text.replace('*', chr(92) + '*')}" for name, text in rows.items()]
        parts.append("\n\n".join([heading, " ".join(facts), *listed]))
    return "\n\n".join(parts)


(GENERATED / "playground").mkdir(exist_ok=True, parents=True)
(GENERATED / "metrics.md").write_text(metrics(), encoding="utf-8")
exclude_patterns.append("_generated")
write_playground(GENERATED / "playground" / "scoref-playground.html")
html_extra_path = ["_generated/playground"]
