"""Bytes in and out: files, directories, gzip, standard input, lines."""
