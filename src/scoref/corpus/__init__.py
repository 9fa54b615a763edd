"""The model: mentions, entities, documents and words of one side, whatever file they came from."""
