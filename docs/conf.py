"""How the manual is built. Some pages are made from the program itself, so that they stay true."""

from __future__ import annotations

import sys
from pathlib import Path

from scoref import __version__
from scoref.pages.playground import write_playground

sys.path.insert(0, str(Path(__file__).parent / "_ext"))  # our own extensions

project = "scoref"
author = "The scoref developers"
copyright = author  # noqa: A001  # Sphinx wants this name
release = version = __version__

extensions = [
    "api",  # docs/_ext: names and parameters of the Python API
    "commands",  # docs/_ext: options of commands
    "schemas",  # docs/_ext: keys of JSON Schemas
    "myst_parser",
    "sphinx.ext.githubpages",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx-mathjax-offline",  # formulas are typeset without a network
    "metric_pages",  # docs/_ext: facts, examples and pictures of metrics
]
myst_enable_extensions = ["attrs_inline", "colon_fence", "dollarmath"]
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
(GENERATED / "playground").mkdir(exist_ok=True, parents=True)
exclude_patterns.append("_generated")
write_playground(GENERATED / "playground" / "scoref-playground.html")
html_extra_path = ["_generated/playground"]
