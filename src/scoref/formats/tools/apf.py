"""ACE APF: entities with types and classes, mentions with heads, as spans of characters.

    <source_file URI="x.sgm"> <document DOCID="x">
    <entity ID="E1" TYPE="PER" SUBTYPE="Individual" CLASS="SPC">
      <entity_mention ID="E1-1" TYPE="NAM" ROLE="PER">
        <extent><charseq START="0" END="7">Mr Smith</charseq></extent>
        <head><charseq START="3" END="7">Smith</charseq></head>

Offsets count the characters of the source text without its tags, ends inclusive.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from scoref.corpus.builder import CorpusBuilder
from scoref.corpus.corpus import Corpus
from scoref.formats.format import Format, Wanted, text_reader
from scoref.formats.io.problems import Problems
from scoref.formats.io.text import parse_whole_numbers
from scoref.formats.tools.safe_xml import Element, parse_xml

_ROOT = re.compile(
    rb"(\xef\xbb\xbf)?\s*(?=<).*?<(source_file\b|document\b[^>]*\bDOCID\b)", re.DOTALL
)
_TYPES = {"NAM": "name", "NOM": "nominal", "PRO": "pronoun", "PRE": "premodifier"}
_INCLUSIVE = "offsets count characters from 0, ends inclusive"

_PLACES = {"entity": "document", "entity_mention": "entity"}
"""The elements in which elements are read; documents are read in any element but a document."""

Span = tuple[int, int]


@dataclass(slots=True)
class _ApfReader:
    """Adds the elements of a file to a corpus."""

    builder: CorpusBuilder
    problems: Problems

    def read(self, root: Element) -> None:
        documents = [*_all(root, "document")]
        if not documents:
            top = root.children[0]
            expected, hint = '<document DOCID="name">', "is this the right file?"
            self.problems.add(top.line, f"<{top.name}> without <document>", expected, hint)
        self.check_places(root)
        lines: dict[str, int] = {}
        for document in documents:
            name = document.attributes.get("DOCID", "").strip()
            if name and name in lines:
                self.problems.add_duplicate(document.line, name, lines[name])
            lines[name] = document.line
            self.read_document(document, self.builder.document(name, line=document.line))

    def check_places(self, element: Element, *, in_document: bool = False) -> None:
        """Refuse entities and mentions in other elements, where they would not be read."""
        hint = "is a closing tag missing, or in the wrong line?"
        in_document |= element.name == "document"
        for child in element.children:
            place = _PLACES.get(child.name, element.name)
            if place != element.name:
                found = f"<{child.name}> inside <{element.name}>"
                self.problems.add(child.line, found, f"<{child.name}> inside <{place}>", hint)
            if in_document and child.name == "document":
                found, expected = "<document> inside <document>", "one document after another"
                self.problems.add(child.line, found, expected, hint)
            self.check_places(child, in_document=in_document)

    def read_document(self, document: Element, number: int) -> None:
        names: set[str] = set()
        for entity in document.each("entity"):
            attributes = entity.attributes
            name = attributes.get("ID", "")
            if not name or name in names:
                found = f"the entity `{name}` again" if name else "an entity without an ID"
                hint = "give each <entity> of a document a different ID"
                self.problems.add(entity.line, found, "entities with different IDs", hint)
                continue
            names.add(name)
            code = self.builder.entity(
                number,
                name,
                type=attributes.get("TYPE", ""),
                subtype=attributes.get("SUBTYPE", ""),
                **{"class": attributes.get("CLASS", "")},
            )
            for mention in entity.each("entity_mention"):
                self.read_mention(mention, number, code)

    def read_mention(self, mention: Element, document: int, entity: int) -> None:
        attributes = mention.attributes
        extent = self.span(mention, "extent")
        head = self.span(mention, "head") if mention.first("head") else extent
        kind = _TYPES.get(attributes.get("TYPE", ""))
        if kind is None:
            found = f"a mention with the TYPE `{attributes.get('TYPE', '')}`"
            hint = "use one of these as TYPE; LDCTYPE can be another"
            self.problems.add(mention.line, found, f"one of {', '.join(_TYPES)}", hint)
        if extent is None or head is None or kind is None:
            return
        (start, end), _ = extent
        (head_start, head_end), text = head
        if not start <= head_start <= head_end <= end:
            found = f"a head from {head_start} to {head_end} of a mention from {start} to {end}"
            self.problems.add(mention.line, found, "a head inside its mention", _INCLUSIVE)
            return
        metonymic = attributes.get("METONYMY_MENTION", "").upper() == "TRUE"
        self.builder.mention(
            document,
            (start, end),
            entity,
            mention.line,
            type=kind,
            head_start=head_start,
            head_end=head_end,
            head_text=" ".join(text.split()),
            role=attributes.get("ROLE", ""),
            style=attributes.get("STYLE", "METONYMIC" if metonymic else "LITERAL"),
            ldc_type=attributes.get("LDCTYPE", ""),
        )

    def span(self, mention: Element, name: str) -> tuple[Span, str] | None:
        """Return the offsets and the text of an extent or a head."""
        part = mention.first(name)
        place = part.first("charseq") if part else None
        places = [one for each in mention.each(name) for one in each.each("charseq")]
        if len(places) > 1:
            hint = f"write one {name} per mention"
            self.problems.add(places[1].line, f"a second <charseq> of {name}", "one", hint)
            return None
        if place is None:
            line = part.line if part else mention.line
            expected, hint = f"<{name}><charseq>", 'write <charseq START="0" END="7">'
            self.problems.add(line, f"a mention without the offsets of its {name}", expected, hint)
            return None
        ends = [place.attributes.get(end, "") for end in ("START", "END")]
        offsets = parse_whole_numbers(*ends)
        if offsets is None:
            found = f'<charseq START="{ends[0][:20]}" END="{ends[1][:20]}">'
            self.problems.add(place.line, found, "two whole numbers", _INCLUSIVE)
            return None
        start, last = offsets
        if last < start:
            found = f"a {name} from {start} to {last}"
            self.problems.add(place.line, found, "an end that is not before the start", _INCLUSIVE)
        return ((start, last), place.text) if last >= start else None


def _all(element: Element, name: str) -> list[Element]:
    """Return the elements of a name at any depth."""
    found = [element] if element.name == name else []
    return found + [one for child in element.children for one in _all(child, name)]


def _parse(text: str, _: Wanted, problems: Problems) -> Corpus:
    """Parse a file of one document or more."""
    builder = CorpusBuilder(problems.path)
    root = parse_xml(text, problems)
    if not problems:
        _ApfReader(builder, problems).read(root)
    # The source text is in another file: it is only known that spans count its characters.
    return replace(builder.corpus(), characters=("",) * len(builder.documents))


FORMAT = Format("apf", "ACE APF XML", _ROOT.match, text_reader(_parse), suffix=".apf.xml")
