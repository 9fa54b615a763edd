"""Counting on Apache Spark; users call `scoref.spark`.

Spark is the scheduler, moves blocks of many rows, and repeats what was lost. The work on the rows
is done by the code of the table engine, on executors.

session.py         a Spark session for the command line: Java, log, the package for executors
failures.py        Spark's errors as errors of this package
table_files.py     the files of Parquet tables, and how pyarrow opens them
side_schema.py     what executors must know of key and response
side_frames.py     key and response as DataFrames with the same columns
row_groups.py      row groups of Parquet files, read on executors, and ranges of documents
blocks.py          many rows in one value that Spark moves, and the table that a bucket of them is
block_sources.py   where blocks come from: DataFrames and row groups
document_tasks.py  shards of whole documents, counted on executors
by_document.py     documents in ranges or in buckets, and one result of all shards
unit_records.py    the rows of one unit as integers
unit_steps.py      one unit in steps: by mention, by key entity, by response entity
ceaf_rounds.py     CEAF in rounds of steps
as_one_unit.py     one unit over all executors
"""
