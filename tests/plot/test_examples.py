"""The examples of the pictures run; the pictures say that they belong to the package."""

import doctest

import pytest

import beam_pandas as bp
from tests.plot.samples import FEWEST


@pytest.mark.parametrize("name", FEWEST)
def test_examples_run(name):
    picture = getattr(bp.plot, name)
    (example,) = doctest.DocTestFinder(recurse=False).find(picture, name, globs={})
    assert example.examples
    assert doctest.DocTestRunner().run(example).failed == 0


def test_pictures_belong_to_the_package():
    modules = {getattr(bp.plot, name).__module__ for name in bp.plot.__all__}
    assert modules == {"beam_pandas.plot"}
