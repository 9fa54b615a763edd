"""The version, stated once: the package, the signature and the build read it here."""

__version__ = "0.1.0"

_REQUIRED = ("numpy", "scipy")
_OPTIONAL = ("matplotlib", "pyarrow", "pandas", "polars", "pyspark", "spacy", "torchmetrics")


def environment() -> str:
    """Return what a report of a problem should state: versions and the platform."""
    import platform  # noqa: PLC0415  # only `scoref --version --verbose` needs them
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415

    def find(package: str) -> str:
        try:
            return version(package)
        except PackageNotFoundError:
            return "not installed"

    python = f"{platform.python_implementation()} {platform.python_version()}"
    rows = {"scoref": __version__, "python": python, "platform": platform.platform()}
    rows |= {package: find(package) for package in (*_REQUIRED, *_OPTIONAL)}
    return "\n".join(f"{name:<13}{value}" for name, value in rows.items())
