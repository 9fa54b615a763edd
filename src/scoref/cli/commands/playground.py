"""Write the playground: a page that scores, explains and edits entities without Python.

The page works offline, in any browser. Drop a key and a response on it (CoNLL columns, JSON lines
or clusters), type entities, or choose an example from a paper. It shows the default metrics, the
formula of each with its numbers, and lets you edit the response. Nothing leaves the page.

Example commands:
  scoref playground -o playground.html
"""

from __future__ import annotations

from scoref.cli import options
from scoref.cli.command import Arguments, Command

COMMAND = Command(__doc__, options.PAGE)


def run(arguments: Arguments) -> int:
    """Write the page, print its path."""
    from scoref.pages.playground import write_playground

    write_playground(arguments.out)
    print(arguments.out)
    return 0
