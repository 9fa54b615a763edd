"""The coreference task for language models: samples of a key, the prompt, counts of an answer."""
