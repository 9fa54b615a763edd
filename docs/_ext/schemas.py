"""Directives that show JSON Schemas as tables: `{schema} score` and `{schema-object} score side`.

`{schema} NAME` links the file `schemas/NAME.schema.json` next to the page, and lists its keys.
Objects that several schemas share are listed once, by `{schema-object} NAME OBJECT` under a heading
"Object: OBJECT", and linked everywhere else.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

# Definitions that are listed where they are used, and definitions with a place of their own.
_INLINE = frozenset({"system", "pair", "walk", "bin", "optional_mention"})
_PLACES = {"error": "#scoref-errors", "comparison": "#scoref-compare"}
_WORDS = {
    "interval": "list of two numbers",
    "optional_interval": "list of two numbers, or null",
    "scores": "[score](#object-score) by metric",
    "intervals": "intervals of `recall`, `precision` and `f1` by metric",
    "optional_mention": "[mention](#object-mention), or null",
}
_TYPES = {
    "integer": "whole number",
    "number": "number",
    "string": "text",
    "boolean": "true or false",
    "object": "object",
    "null": "null",
}
Schema = dict[str, Any]


class SchemaDirective(SphinxDirective):
    """List the keys of a schema, with a link to the file."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Write a table as Markdown, and parse it like the page around it."""
        schema = self._read(self.arguments[0])
        file = f"schemas/{self.arguments[0]}.schema.json"
        text = f"{schema['description']} Schema: [`{Path(file).name}`]({file})."
        return self.parse_text_to_nodes(f"{text}\n\n{_table(schema, schema)}")

    def _read(self, name: str) -> Schema:
        _, path = self.env.relfn2path(f"schemas/{name}.schema.json")
        self.env.note_dependency(path)
        self.env.note_dependency(__file__)
        schema: Schema = json.loads(Path(path).read_text("utf-8"))
        return schema


class SchemaObjectDirective(SchemaDirective):
    """List the keys of an object that several schemas share."""

    required_arguments = 2

    def run(self) -> list[nodes.Node]:
        """Write a table as Markdown, and parse it like the page around it."""
        schema = self._read(self.arguments[0])
        found = schema["$defs"][self.arguments[1]]
        return self.parse_text_to_nodes(f"{found['description']}\n\n{_table(found, schema)}")


def _table(schema: Schema, root: Schema) -> str:
    rows = [f"| {name} | {kind} | {text} |" for name, kind, text in _rows(schema, root, "")]
    return "\n".join(["| key | value | meaning |", "|---|---|---|", *rows])


def _rows(schema: Schema, root: Schema, path: str) -> Iterator[tuple[str, str, str]]:
    """Return a row per key, and below it the keys of an object that is described in place."""
    schema = _inlined(schema, root)
    if "items" in schema:
        yield from _rows(schema["items"], root, f"{path}[]")
    elif "oneOf" in schema:
        for one in schema["oneOf"]:
            yield from _rows(one, root, path)
    elif isinstance(schema.get("additionalProperties"), dict):
        yield from _rows(schema["additionalProperties"], root, f"{path}.*")
    required = schema.get("required", ())
    for name, part in schema.get("properties", {}).items():
        where = f"{path}.{name}".lstrip(".")
        kind = _kind(part, root)
        shown = _values(part)
        parts = [_description(part, root), *([f"One of {shown}."] if shown else [])]
        yield f"`{where}`", kind if name in required else f"{kind}; optional", " ".join(parts)
        yield from _rows(part, root, where)


def _inlined(schema: Schema, root: Schema) -> Schema:
    """Follow a reference to a definition that is described in place."""
    name = schema.get("$ref", "").rpartition("/")[2]
    if name not in _INLINE or name == "optional_mention":
        return schema
    found: Schema = root["$defs"][name]
    return found


def _description(schema: Schema, root: Schema) -> str:
    """Return what a key means: its own description, or that of the definition it refers to."""
    name = schema.get("$ref", "").rpartition("/")[2]
    found = root["$defs"][name] if name else {}
    return str(schema.get("description") or found.get("description", ""))


def _values(schema: Schema) -> str:
    values = [value for value in schema.get("enum", ()) if value is not None]
    return ", ".join(f"`{json.dumps(value)}`" for value in values)


def _kind(schema: Schema, root: Schema) -> str:
    """Say in words what a value is."""
    name = schema.get("$ref", "").rpartition("/")[2]
    if name in _WORDS:
        return _WORDS[name]
    if name in _INLINE:
        return _kind(root["$defs"][name], root)
    if name:
        return f"[{name}]({_PLACES.get(name, f'#object-{name}')})"
    if "items" in schema:
        return f"list of {_plural(_kind(schema['items'], root))}"
    if isinstance(schema.get("additionalProperties"), dict):
        return _by_name(_kind(schema["additionalProperties"], root))
    return _plain(schema)


def _by_name(inner: str) -> str:
    """Say that a value is an object with values of one kind."""
    for one, both in ((" by name", " by two names"), (" by metric", " by name and metric")):
        if inner.endswith(one):
            return f"{inner.removesuffix(one)}{both}"
    return f"{inner} by name"


def _plain(schema: Schema) -> str:
    """Say what a value is that has no parts."""
    types = schema.get("type", [])
    names = [_TYPES[one] for one in ([types] if isinstance(types, str) else types)]
    if "enum" in schema:
        kinds = {type(value) for value in schema["enum"]}
        names = ["whole number" if int in kinds else "text"]
        names += ["null"] if None in schema["enum"] else []
    elif "const" in schema:
        names = [f"`{json.dumps(schema['const'])}`"]
    elif "oneOf" in schema:
        names = ["object"]
    return ", or ".join(names) or "any value"


def _plural(kind: str) -> str:
    plain = {"text": "texts", "whole number": "whole numbers", "number": "numbers"}
    if kind in plain or not kind.isalpha():
        return plain.get(kind, kind)
    return f"{kind}s"


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directives."""
    app.add_directive("schema", SchemaDirective)
    app.add_directive("schema-object", SchemaObjectDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
