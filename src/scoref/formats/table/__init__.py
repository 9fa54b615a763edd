"""Tables with one mention per row: CSV, TSV, Parquet."""
