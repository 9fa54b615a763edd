"""Where reading and counting run: here, in worker processes, or on Spark."""
