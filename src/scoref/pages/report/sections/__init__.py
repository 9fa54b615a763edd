"""The sections of a report; they can be read and printed without the page's program."""
