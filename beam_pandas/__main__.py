"""``python -m beam_pandas``, which is also the command ``beam-pandas``."""

from beam_pandas.terminal.command import main

if __name__ == "__main__":
    raise SystemExit(main())
