"""What knows nothing of coreference: arrays, lazy sequences, progress, processes, memory."""
