"""The join of two tables and the group-by of its pairs: `engines.py ENGINE KEY RESPONSE`.

Document and mention are packed into one number for the join, which is the quickest way that
these engines have.
"""

from __future__ import annotations

import sys

_ROOM = 1 << 24  # more than any document has mentions
_QUERY = """
WITH k AS (SELECT document * 16777216 + mention AS place, entity FROM read_parquet(?)),
     r AS (SELECT document * 16777216 + mention AS place, entity FROM read_parquet(?))
SELECT count(*) FROM (
  SELECT k.entity, r.entity, count(*) FROM k JOIN r USING (place) GROUP BY k.entity, r.entity
)
"""


def with_polars(key: str, response: str) -> int:
    """Return the number of cells, with the engine that streams."""
    import polars as pl  # noqa: PLC0415

    def side(path: str, entity: str) -> pl.LazyFrame:
        packed = pl.col("document") * _ROOM + pl.col("mention")
        return pl.scan_parquet(path).select(packed.alias("place"), pl.col("entity").alias(entity))

    joined = side(key, "ours").join(side(response, "theirs"), on="place")
    return joined.group_by("ours", "theirs").len().collect(engine="streaming").height


def with_duckdb(key: str, response: str) -> int:
    """Return the number of cells."""
    import duckdb  # noqa: PLC0415

    found = duckdb.connect().execute(_QUERY, [key, response]).fetchone()
    return int(found[0]) if found else 0


if __name__ == "__main__":
    engine, *paths = sys.argv[1:]
    print({"polars": with_polars, "duckdb": with_duckdb}[engine](*paths))
