"""What a file or pipe holds, read once and unpacked."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import sys
import zipfile
import zlib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

from beam_pandas.errors import BeamError, MissingDependencyError
from beam_pandas.terminal.formats import Ending, choose_format, read_ending, sniff

_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]+://")
_MEGABYTE: Final = 1 << 20
_SMALL: Final = 64 * _MEGABYTE  # up to which a packed file may unpack, however small
_RATIO: Final = 100  # scores pack to a tenth of their size, a bomb to a thousandth
_LARGEST: Final = 2048 * _MEGABYTE
_LONGEST_LINE: Final = 4 * _MEGABYTE


class Source(NamedTuple):
    """
    A file that was read.

    Attributes
    ----------
    name : str
        As given.
    stem : str
        Its name without folder and ending.
    format : str
        What it holds.
    content : bytes
        All of it, unpacked.
    """

    name: str
    stem: str
    format: str
    content: bytes


def read_source(name: str, asked: str | None) -> Source:
    """
    Read a file, or the standard input for ``-``, and unpack it.

    Raises
    ------
    BeamError
        If it is a URL, a folder, broken, or unpacks to far more than its size.
    OSError
        If it cannot be read.
    """
    if _URL.match(name):
        raise BeamError(
            f"a file is needed, found a URL: download it first, such as curl -O {name}"
        )
    ending = Ending(None, None, "stdin") if name == "-" else read_ending(name)
    raw = _read_raw(name)
    packed = ending.packed
    begins = sniff(raw)
    if begins in ("gz", "bz2", "xz", "zst") and packed is None:
        packed = begins  # a pipe has no ending
    content = raw if packed is None else _unpack(raw, packed)
    if not content.strip(b"\xef\xbb\xbf \t\r\n"):
        raise BeamError("the file is empty")
    chosen = choose_format(asked, ending, content)
    if chosen in ("csv", "tsv", "printed"):
        _check_lines(content)
    return Source("standard input" if name == "-" else name, ending.stem, chosen, content)


def _read_raw(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    path = Path(name)
    if path.is_dir():
        raise BeamError(
            "a file is needed, found a folder: name its files, and with --file-is what "
            "each of them is"
        )
    return path.read_bytes()


def _check_lines(content: bytes) -> None:
    """Refuse a first line that no row of headings is."""
    if len(content) > _LONGEST_LINE and content.find(b"\n", 0, _LONGEST_LINE) < 0:
        raise BeamError(
            f"a row of headings is needed, found a first line of more than "
            f"{_LONGEST_LINE // _MEGABYTE} million letters: this is no table of text"
        )


def _unpack(raw: bytes, packed: str) -> bytes:
    """Unpack, but no more than a table of scores can be."""
    limit = min(max(_SMALL, _RATIO * len(raw)), _LARGEST)
    try:
        with _OPENERS[packed](io.BytesIO(raw)) as stream:
            content: bytes = stream.read(limit + 1)
    except (
        OSError,
        EOFError,
        ValueError,
        RuntimeError,
        zlib.error,
        lzma.LZMAError,
    ) as error:
        reason = str(error) or type(error).__name__
        raise BeamError(f"the file cannot be unpacked as {packed}, {reason}") from error
    except zipfile.BadZipFile as error:
        raise BeamError(f"the file cannot be unpacked as zip, {error}") from error
    if len(content) > limit:
        raise BeamError(
            f"the file holds {len(raw) / _MEGABYTE:.3g} MB and unpacks to more than "
            f"{limit // _MEGABYTE:,} MB: unpack it and look at it first"
        )
    return content


def _open_zip(stream: IO[bytes]) -> IO[bytes]:
    archive = zipfile.ZipFile(stream)
    names = [name for name in archive.namelist() if not name.endswith("/")]
    if len(names) != 1:
        raise BeamError(f"a zip file must hold one file, found {len(names):,}: unpack it")
    return archive.open(names[0])


def _open_zst(stream: IO[bytes]) -> IO[bytes]:
    """Open by what is there: Python's own from 3.14 on, zstandard or pyarrow."""
    ways: tuple[tuple[str, Callable[[Any], Any]], ...] = (
        ("compression.zstd", lambda module: module.ZstdFile(stream)),
        ("zstandard", lambda module: module.ZstdDecompressor().stream_reader(stream)),
        ("pyarrow", lambda module: module.input_stream(stream, compression="zstd")),
    )
    for name, open_by in ways:
        try:
            module = import_module(name)
        except ImportError:
            continue
        opened: IO[bytes] = open_by(module)
        return opened
    raise MissingDependencyError(
        "to unpack zst, pyarrow is needed (pip install 'beam_pandas[arrow]'), or unpack "
        "the file first: zstd -d FILE"
    )


_OPENERS: Final[dict[str, Callable[[IO[bytes]], Any]]] = {
    "gz": lambda stream: gzip.GzipFile(fileobj=stream),
    "bz2": bz2.BZ2File,
    "xz": lzma.LZMAFile,
    "zip": _open_zip,
    "zst": _open_zst,
}
