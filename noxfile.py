#!/usr/bin/env -S uv run --script
# /// script
# dependencies = ["nox>=2025.2.9"]
# ///
"""The steps of the whole check, one by one: ``nox --list``, ``nox -s tests``."""

from __future__ import annotations

import nox

nox.needs_version = ">=2025.2.9"
nox.options.default_venv_backend = "uv|virtualenv"


@nox.session
def lint(session: nox.Session) -> None:
    """Check style and form."""
    session.install("-r", ".ci/lint-requirements.txt")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session
def types(session: nox.Session) -> None:
    """Check types, behind the accessor's stub too."""
    session.install("-r", ".ci/lint-requirements.txt", ".", "matplotlib")
    session.run("mypy")
    session.run("mypy", "beam_pandas/accessor/methods.py")
    session.run("pyright")
    session.run("pytest", "-q", "--noconftest", "tests/test_typing.py")


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests of the README with the newest versions."""
    session.install(".[test]")
    session.run("pytest", *session.posargs)


@nox.session(default=False)
def lowest(session: nox.Session) -> None:
    """Run all tests with the lowest versions."""
    session.install("-c", ".ci/lowest.txt", ".[plot,test]", "pytest-xdist")
    session.run("pytest", "-q", "-n", "2", "-m", "not distributed", *session.posargs)


@nox.session(default=False)
def slow(session: nox.Session) -> None:
    """Run what is slow, on many examples."""
    session.install(".[test]", "pytest-xdist")
    marked = ["-m", "slow and not distributed"]
    session.run("pytest", "-q", "-n", "2", *marked, env={"BEAM_TESTS": "whole"})


@nox.session(default=False)
def engines(session: nox.Session) -> None:
    """Run the tests on dask and Spark, which needs Java."""
    session.install(".[distributed,test]")
    session.run("pytest", "-q", "-m", "distributed")


@nox.session(default=False)
def docs(session: nox.Session) -> None:
    """Build the site into docs/_build/html, and check its links."""
    session.install("-r", "docs/requirements.txt", ".")
    site = "docs/_build/html"
    session.run("python", "-m", "sphinx", "-W", "--keep-going", "docs", site)
    session.run("python", "-m", "docs._check", site)


@nox.session(default=False)
def build(session: nox.Session) -> None:
    """Build sdist and wheel."""
    session.install("build")
    session.run("python", "-m", "build")


@nox.session(default=False)
def speed(session: nox.Session) -> None:
    """Measure every demand on speed, or the parts given."""
    session.install(".[plot]", "-r", "benchmarks/requirements.txt")
    session.run("python", "-m", "benchmarks", *session.posargs)


if __name__ == "__main__":
    nox.main()
