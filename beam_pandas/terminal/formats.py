"""What a file holds, by its ending."""

from __future__ import annotations

from typing import Final, NamedTuple

from beam_pandas.errors import BeamError, list_labels

FORMATS: Final = ("csv", "tsv", "parquet", "json", "jsonl", "xlsx", "printed", "md")
PACKED: Final = ("gz", "bz2", "xz", "zst", "zip")

_ENDINGS: Final = {
    "csv": "csv",
    "tsv": "tsv",
    "tab": "tsv",
    "parquet": "parquet",
    "pq": "parquet",
    "json": "json",
    "jsonl": "jsonl",
    "ndjson": "jsonl",
    "xlsx": "xlsx",
    "md": "printed",
    "markdown": "printed",
    "tex": "printed",
    "txt": "printed",
}
#: How packed files and some formats begin.
_SIGNS: Final = (
    (b"\x1f\x8b", "gz"),
    (b"BZh", "bz2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x28\xb5\x2f\xfd", "zst"),
    (b"PAR1", "parquet"),
    (b"PK\x03\x04", "zip"),
)


class Ending(NamedTuple):
    """What the name of a file says: its format, how it is packed, its name without both."""

    format: str | None
    packed: str | None
    stem: str


def read_ending(name: str) -> Ending:
    """Take the ending of a file's name apart."""
    parts = name.rsplit("/", 1)[-1].split(".")
    packed = parts.pop().lower() if parts[-1].lower() in PACKED and len(parts) > 1 else None
    found = _ENDINGS.get(parts[-1].lower()) if len(parts) > 1 else None
    stem = ".".join(parts[:-1] if found is not None else parts)
    return Ending(found, packed, stem or name)


def sniff(content: bytes) -> str | None:
    """Tell how a file is packed, or that it is Parquet, by how it begins."""
    return next((kind for sign, kind in _SIGNS if content.startswith(sign)), None)


def choose_format(asked: str | None, ending: Ending, content: bytes) -> str:
    """Tell the format: as asked for, by the ending, by how it begins, or CSV."""
    chosen = asked or ending.format
    if chosen is not None:
        return "printed" if chosen == "md" else chosen
    if sniff(content) == "parquet":
        return "parquet"
    if sniff(content) == "zip":
        return "xlsx"
    return "csv"


def check_text(content: bytes, chosen: str) -> None:
    """Refuse what is packed or binary where a text is needed."""
    kind = sniff(content)
    if kind == "parquet":
        raise BeamError(f"found a Parquet file, not {chosen}: --format parquet")
    if kind is not None:
        raise BeamError(
            f"found a file packed as {kind}, not {chosen}: give it the ending .{kind}, one "
            f"of {list_labels(PACKED)}"
        )
