"""Where reading and counting run: here, or in worker processes."""
