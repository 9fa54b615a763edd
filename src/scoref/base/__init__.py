"""General tools without coreference: arrays, lazy sequences, progress, processes, memory."""
