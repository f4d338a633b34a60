"""The examples of the pictures run; the pictures say that they belong to the package."""

import doctest

import pytest

import beam_pandas as bp


@pytest.mark.parametrize("name", [*bp.plot.__all__])
def test_examples_run(name):
    picture = getattr(bp.plot, name)
    (example,) = doctest.DocTestFinder(recurse=False).find(picture, name, globs={})
    assert example.examples
    assert doctest.DocTestRunner().run(example).failed == 0
    assert picture.__module__ == "beam_pandas.plot"
