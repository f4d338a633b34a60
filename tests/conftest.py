"""Hypothesis: no deadlines, for busy machines; the same examples each time in CI; many."""

import os

from hypothesis import settings

settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.register_profile("many", deadline=None, max_examples=10_000)
settings.load_profile("ci" if os.environ.get("CI") else "default")
