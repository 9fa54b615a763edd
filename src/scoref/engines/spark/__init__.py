"""Counting on Apache Spark; users call `scoref.spark`.

Spark is the scheduler, moves blocks of many rows, and repeats what was lost. The work on the rows
is done by the code of the table engine, on executors. A side is the key or the response.

session.py           a Spark session for the command line: Java, log, the package for executors
failures.py          Spark's errors as errors of this package
table_files.py       the files of Parquet tables, and how pyarrow opens them
side_table.py        what executors must know of a side, and its rows as a table
dataframes.py        both sides as DataFrames with the same columns
row_groups.py        row groups of Parquet files, read on executors, and ranges of documents
blocks.py            many rows in one value that Spark moves
block_sources.py     where blocks come from: DataFrames and row groups
document_scoring.py  documents in ranges or in buckets, and one result of all shards
document_tasks.py    shards of whole documents, counted on executors
unit_scoring.py      one unit over all executors
integer_rows.py      its rows as integers
unit_tasks.py        its steps: by mention, by key entity, by response entity
ceaf_rounds.py       its CEAF in rounds of steps
"""
