"""A directive that shows the facts about a policy: `{policy} singletons`.

Flag, values, default and short name come from the program, so they stay true.
"""

from __future__ import annotations

from dataclasses import fields

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from scoref.policy import Policy
from scoref.policy.policy import is_always_stated
from scoref.policy.signature import SHORT_NAMES


class PolicyDirective(SphinxDirective):
    """Say how a policy is written on the command line, in Python and in signatures."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Write a list as Markdown, and parse it like the page around it."""
        self.env.note_dependency(__file__)
        name = self.arguments[0]
        (field,) = (one for one in fields(Policy) if one.name == name)
        flag = f"--{name.replace('_', '-')}"
        values = ", ".join(f"`{value}`" for value in Policy.choices()[name])
        stated = "always" if is_always_stated(field) else "only if it is not the default"
        items = [
            f"Flag: `{flag}`. Values: {values}. Default: `{field.default}`.",
            f'Python: `{name}="{field.default}"`, a keyword or a field of `Policy`.',
            f"Signature: `{name}`, stated {stated}. Short name: `{SHORT_NAMES[name]}`.",
        ]
        return self.parse_text_to_nodes("\n".join(f"- {item}" for item in items))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("policy", PolicyDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
