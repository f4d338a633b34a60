"""``python -m beam_pandas``, which is also the command ``beam-pandas``."""

import gc

from beam_pandas.terminal.command import main


def run() -> int:
    """Run the command in a process of its own, too short to collect garbage in."""
    gc.disable()
    return main()


if __name__ == "__main__":
    raise SystemExit(run())
