"""Counting on Apache Spark; users call `scoref.spark`.

session.py          a Spark session for the command line: Java, log, the package for executors
functions.py        pyspark.sql.functions, imported on first use
failures.py         Spark's errors as errors of this package
side_frames.py      key and response as DataFrames with the same columns
delimited_files.py  CSV and TSV, read on executors by the reader of the local engine
shards.py           some documents, counted on an executor by the ordinary code
documents.py        documents divided into shards, and one result of what these counted
one_unit.py         one unit over all executors, summed up in a histogram
overlaps.py         the entities and cells of one unit; CEAF in rounds of SQL
"""
