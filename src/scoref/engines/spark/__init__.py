"""Counting on Apache Spark; users call `scoref.spark`.

Spark is the scheduler, moves blocks of many rows, and repeats what was lost. The work on the rows
is done by the code of the table engine, on executors.

session.py          a Spark session for the command line: Java, log, the package for executors
functions.py        pyspark.sql.functions, imported on first use
failures.py         Spark's errors as errors of this package
paths.py            the paths and formats of tables
side_schema.py      what executors must know of key and response
side_frames.py      key and response as DataFrames with the same columns
delimited_files.py  CSV and TSV, read on executors by the reader of the local engine
arrow_files.py      files that pyarrow opens itself, and their file systems
arrow_frames.py     DataFrames of files that only pyarrow can open
row_groups.py       row groups of Parquet files, read on executors, and ranges of documents
blocks.py           many rows in one value that Spark moves
block_sources.py    where blocks come from: DataFrames and row groups
block_table.py      the blocks of a bucket as a table
shards.py           whole documents, counted on an executor
shard_reports.py    what the shards return
documents.py        documents in ranges or in buckets, and one result of all shards
unit_records.py     the rows of one unit as integers
unit_steps.py       one unit in steps: by mention, by key entity, by response entity
ceaf_rounds.py      CEAF in rounds of steps
collected.py        what reaches the driver
one_unit.py         one unit over all executors
"""
