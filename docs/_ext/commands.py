"""A directive that describes a command of scoref: `{command} score`.

The text comes from the parser of the command, so it has every option of this version. Each option
has an anchor, its name without dashes (`commands/score.md#match`), and is known to the role
`option`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from scoref.cli.command import Command, Option, find_command

_ANCHORS = "option_anchors"
# Where the manual says more about a group of options.
_PAGES = {
    "policies": "[Policies and the signature](../policies.md) describes each.",
    "engine": "See [Spark](../../guides/spark.md).",
    "resampling": "See [Statistics](../../explanation/statistics.md).",
}
_DEFAULT = re.compile(r"\s*\(default: (.*)\)$", re.DOTALL)
_CODE = (
    r"`[^`]+`"  # what the help marks as code
    r"|pip install '[^']+'"
    r"|'[^' ]+'(?![\w])"  # what it quotes
    r"|(?<![\w-])--?[a-zA-Z][\w-]*"  # a flag
    r"|\w+:\w+(?= for)"  # module:function
    r"|(?<!\S)\.\w+\b"  # a suffix
    r"|\[Ann[^]]*\](?:\(#1\)|#1|_1)?|<[^>]+>Ann</\w+>"  # markup
    r"|[\w.]+(?:=|<(?!=)|>)[\w.:=]*\w(?:,FILE,\.\.\.)?"  # name=value
)


class CommandDirective(SphinxDirective):
    """Describe a command: usage, description, arguments, options and examples."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Write the description as Markdown, and parse it like the page around it."""
        (name,) = self.arguments
        command = find_command(name)
        self.env.note_dependency(__file__)
        found = self.parse_text_to_nodes(_introduction(command, name))
        found += [self._section(*section) for section in _sections(command, name)]
        return found

    def _section(self, title: str, text: str) -> nodes.section:
        """Return a section; headings inside a directive would become parts of the page itself."""
        anchor = nodes.make_id(title)
        section = nodes.section("", nodes.title("", title), ids=[anchor], names=[anchor])
        self.state.document.note_implicit_target(section, section)
        section += self.parse_text_to_nodes(text)
        anchors = {anchor: title}
        for signature in section.findall(addnodes.desc_signature):
            name = signature["allnames"][-1]
            short = name.lstrip("-").lower()
            if short not in self.state.document.ids:
                signature["ids"].insert(0, short)
                self.state.document.ids[short] = signature
                anchors[short] = name
        self.env.metadata[self.env.docname].setdefault(_ANCHORS, {}).update(anchors)
        return section


def _introduction(command: Command, name: str) -> str:
    """Write the usage and the description."""
    names = _names(command, name)
    paragraphs = [_paragraph(one, names) for one in command.description.split("\n\n")]
    return "\n\n".join([f"```text\n{command.usage(name)}\n```", *paragraphs])


def _sections(command: Command, name: str) -> Iterator[tuple[str, str]]:
    """Return the other sections: a title and a text for each group of options, then examples."""
    names = _names(command, name)
    arguments = [option for option in command.options if not option.is_flag]
    flags = [option for option in command.options if option.is_flag]
    groups = [("Arguments", "", arguments), ("Options", "", flags)]
    groups += [(group.title, group.description, group.options) for group in command.groups]
    for title, purpose, options in groups:
        if not options:
            continue
        parts = [f"```{{program}} scoref {name}\n```"]
        if purpose:
            plain = re.sub(r" \(see the page on .*\)", "", purpose[:1].upper() + purpose[1:])
            parts.append(f"{_inline(plain)}. {_PAGES.get(title, '')}")
        parts += [_option(option, names) for option in options]
        yield title.capitalize(), "\n\n".join(parts)
    if command.examples:
        lines = [line.strip() for line in command.examples.splitlines()]
        # A remark after several blanks becomes a comment, so that the line can be copied.
        shown = [re.sub(r"^(\S.*?\S)( {2,})(?!--)(\S)", r"\1\2# \3", line) for line in lines]
        wrapped = [re.sub(r" {2,}--", " \\\\\n  --", line) for line in shown]
        yield "Examples", "```sh\n" + "\n".join(wrapped) + "\n```"


def _names(command: Command, name: str) -> frozenset[str]:
    """Return words in capitals, which stand for values, and each flag with each of its values."""
    options = command.every_option
    shown = " ".join([command.usage(name), *(option.value for option in options)])
    used = {f"{flag} {value}" for one in options for flag in one.names for value in one.values}
    return frozenset({*re.findall(r"\b[A-Z]+\b", shown), *used})


def _paragraph(text: str, names: Collection[str]) -> str:
    """Write a paragraph; lines that are indented are rows of two columns."""
    lines = text.splitlines()
    if not any(line.startswith("  ") for line in lines):
        return _inline(text, names)
    prose = [line for line in lines if not line.startswith("  ")]
    rows = [re.split(r" {2,}", line.strip(), maxsplit=1) for line in lines if line.startswith("  ")]
    listed = "\n".join(f"- {_name(name)}: {_inline(meaning, names)}" for name, meaning in rows)
    return "\n\n".join([_inline("\n".join(prose), names), listed] if prose else [listed])


def _name(text: str) -> str:
    """Write the first column of a row: a word, or the name of a value, which is code."""
    return f"**{text}**" if " " in text else f"`{text}`"


def _option(option: Option, names: Collection[str]) -> str:
    """Write an option with its values, its help, and its default in a sentence of its own."""
    value = f" {option.value}" if option.value and option.is_flag else ""
    titles = option.names if option.is_flag else [option.value]
    shown = ", ".join(f"{name}{value if name is titles[-1] else ''}" for name in titles)
    default = _DEFAULT.search(option.help)
    text = _inline(_DEFAULT.sub("", option.help), names, option.values)
    parts = [f"{text[:1].upper()}{text[1:]}."]
    if default:
        is_value = re.fullmatch(r"\S+|[a-z0-9]+( [a-z0-9]+)+", default[1])
        is_prose = re.match(r"(the|a|by|no|detected|this|test|standard) ", default[1])
        parts.append(
            f"Default: `{default[1]}`."
            if is_value and not is_prose
            else f"Default: {_inline(default[1], names)}."
        )
    return f"````{{option}} {shown}\n{' '.join(parts)}\n````"


def _inline(text: str, names: Collection[str] = (), values: Collection[str] = ()) -> str:
    """Write prose as Markdown, with flags, values and whatever is quoted as code."""
    one_line = " ".join(text.split())
    parts, end = [], 0
    pattern = "|".join([*_words(names), _CODE, *_values(values)])
    for match in re.finditer(pattern, one_line):
        parts += [_escape(one_line[end : match.start()]), f"`{match[0].strip('`')}`"]
        end = match.end()
    return "".join([*parts, _escape(one_line[end:])])


def _words(names: Collection[str]) -> list[str]:
    """Return patterns for names, the longest first."""
    return [rf"(?<![\w=-]){re.escape(one)}\b(?!=)" for one in sorted(names, key=len, reverse=True)]


def _values(values: Collection[str]) -> list[str]:
    """Return patterns for values: many are ordinary words too, so only where they are named."""
    known = [re.escape(value) for value in values if not value.endswith("=")]
    anywhere = [rf"(?<![\w-]){one}(?![\w-])" for one in known if "-" in one]
    if not known:
        return anywhere
    either = "|".join(known)
    return [rf"(?<=\()(?:{either})(?=[);])|(?<=[.;:] )(?:{either})(?= [a-z]+s )", *anywhere]


def _escape(text: str) -> str:
    return re.sub(r"([\\*_<>\[\]{}$#|~])", r"\\\1", text)


def _add_anchors(app: Sphinx, document: nodes.document) -> None:
    """Let Markdown links find the anchors of options, as they find those of headings."""
    metadata = app.env.metadata[app.env.docname]
    slugs = metadata.setdefault("myst_slugs", {})
    for anchor, name in metadata.pop(_ANCHORS, {}).items():
        slugs.setdefault(anchor, (document.line or 0, anchor, name))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("command", CommandDirective)
    app.connect("doctree-read", _add_anchors)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
