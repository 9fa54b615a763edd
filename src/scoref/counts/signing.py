"""Signed counts files: who has the key file knows that the counts are those that were signed.

The checksum of a counts file finds damage, but anyone can compute it for other numbers. A signature
by HMAC-SHA-256 can be made and verified only with the bytes of a key file, which the organiser of a
shared task keeps.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from os import PathLike
from pathlib import Path

from scoref.exceptions import UsageError

_LEAST_BYTES = 16


class KeyFile:
    """A secret for signatures; the line end of a text file does not count."""

    def __init__(self, path: str | PathLike[str]) -> None:
        try:
            self._secret = Path(path).read_bytes().rstrip(b"\r\n")
        except OSError as error:
            raise UsageError(f"cannot read {path}: {error.strerror or error}") from None
        if len(self._secret) < _LEAST_BYTES:
            raise UsageError(
                f"{path}: found a key of {len(self._secret)} bytes, expected at least"
                f" {_LEAST_BYTES}",
                "make a key file, for example with `openssl rand -hex 32 > FILE`",
            )
        self.verified = 0

    def sign(self, content: bytes) -> str:
        """Return the signature of some content."""
        import hmac  # noqa: PLC0415  # rarely needed

        return f"hmac-sha256:{hmac.new(self._secret, content, 'sha256').hexdigest()}"

    def has_signed(self, content: bytes, signature: object) -> bool:
        """Return whether a signature was made with this key file, in constant time."""
        import hmac  # noqa: PLC0415

        self.verified += 1
        expected = self.sign(content).encode()
        return isinstance(signature, str) and hmac.compare_digest(
            signature.encode(errors="replace"), expected
        )


_required: ContextVar[KeyFile | None] = ContextVar("required", default=None)


def required_key() -> KeyFile | None:
    """Return the key file by which counts files must be signed, if there is one."""
    return _required.get()


@contextmanager
def only_signed_counts(path: str | PathLike[str]) -> Iterator[None]:
    """Refuse counts files that were not signed with a key file, while inside."""
    key = KeyFile(path)
    token = _required.set(key)
    try:
        yield
    finally:
        _required.reset(token)
    if not key.verified:
        raise UsageError(
            "--verify checks counts files, but no input is a counts file", "leave out --verify"
        )
