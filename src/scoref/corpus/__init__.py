"""The data model: mentions, entities, documents and words of one side."""
