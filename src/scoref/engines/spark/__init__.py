"""Counting on Apache Spark; `scoref.spark` is what users call.

session.py    a session of our own, for the command line; Java, noise, what is sent along
failures.py   what Spark reports, said so that a user can act on it
inputs.py     two tables as DataFrames with the same columns
shards.py     some documents counted by the ordinary code, on an executor
documents.py  documents hashed into shards, and what they counted made one result
wholes.py     one unit over all executors: a histogram, and CEAF in rounds
corpora.py    what the driver has read, as such DataFrames
"""
