"""What a metric, or a way to match mentions, may require of a corpus in addition to entities.

The texts are shown by `scoref metrics NAME`.
"""

from __future__ import annotations

TYPES = "mention types"
MENTION_ORDER = "mention order"
SAME_MENTIONS = "the same mentions"
ENTITY_TYPES = "entity types"
SPANS = "spans of mentions"
HEADS = "heads of mentions"
KEY_HEADS = "heads of key mentions"
MINIMAL_SPANS_OR_HEADS = "minimal spans or heads"
PARSES = "parses"
VERB_PHRASES = "verb phrases"
ZEROS = "zeros"
BRIDGING = "bridging"
NON_REFERRING = "non-referring mentions"
