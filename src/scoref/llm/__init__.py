"""Coreference that a language model wrote: from marked text or quotes to spans of the source."""
