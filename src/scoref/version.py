"""The version, stated once: the package, the signature and the build read it here."""

__version__ = "0.1.0"
