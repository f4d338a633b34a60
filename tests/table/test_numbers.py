"""Numbers are rounded to the digit that is shown, and to the right one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beam_pandas.errors import BeamError
from beam_pandas.table.numbers import (
    Style,
    check_digits,
    exponent,
    needed_decimals,
    style_of,
    styles_of_rows,
    write_p,
)

NAN = float("nan")


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.01, -2), (0.0099, -2), (0.0096, -2), (0.0095, -3), (0.094, -2), (0.1, -1), (30, 1)],
)
def test_the_first_digit_is_that_of_the_rounded_number(value, expected):
    # 0.0096 is 0.01 to one digit; 0.0095 as a float is 0.00949999…
    assert exponent(value) == expected


@pytest.mark.parametrize(
    ("value", "spread", "expected"),
    [
        ([0.91234], [0.0123], "0.91"),
        ([0.91234], [0.0096], "0.91"),
        ([0.91234], [0.0094], "0.912"),
        ([0.91234], [0.1], "0.9"),
        ([0.91234, 0.5], [0.1, 0.003], "0.912"),
        ([0.91234, 0.5], [0.1, 0.0], "0.9"),  # a spread of 0 asks for no digit
        ([0.912345678], [1e-9], "0.912346"),  # six digits at most
        ([1234.567], [30.0], "1235"),
        ([91.234], [1.5], "91"),
    ],
)
def test_the_digits_are_those_of_the_smallest_spread(value, spread, expected):
    (form,) = styles_of_rows(np.array([value]), np.array([spread]), "auto")
    assert form.write(value[0]) == expected


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0.831909], "0.8319"),
        ([0.831909, 1.0], "0.8319"),  # 1 is a share as well
        ([1.0, 1.5], "1.0"),
        ([0.763, 0.5], "0.763"),  # no digit is made up
        ([91.23456], "91.23"),
        ([100.0, 91.23456], "100.00"),
        ([3.0, 12.0], "3"),
        ([0.0], "0"),
        ([-0.00001, 0.12345], "0.0000"),  # no negative zero
        ([12345.678], "12346"),
        ([123456789.0], "1.235e+08"),
        ([1.23456e-9], "1.235e-09"),
        ([1.23456e-14], "1.235e-14"),
        ([4.657e-65, 1e-70], "4.657e-65"),
        ([NAN, 0.25], "\N{EN DASH}"),
        ([np.inf, 2.5], "∞"),
        ([-np.inf, 2.5], "-∞"),
    ],
)
def test_without_spreads_four_digits_are_shown(values, expected):
    assert style_of(np.array(values)).write(values[0]) == expected


def test_digits_that_are_told_hold_for_all():
    forms = styles_of_rows(np.array([[0.1], [100.0]]), np.full((2, 1), NAN), 3)
    assert [form.write(0.12345) for form in forms] == ["0.123", "0.123"]
    assert Style(2).write(0.125) == "0.12"  # as Python rounds: a tie to the even digit


@given(
    st.lists(st.floats(-1e12, 1e12), min_size=1, max_size=5),
    st.lists(st.floats(0, 1e6), min_size=1, max_size=5),
)
def test_what_is_printed_is_the_number_to_the_last_digit(values, spreads):
    size = min(len(values), len(spreads))
    value, spread = np.array([values[:size]]), np.array([spreads[:size]])
    (form,) = styles_of_rows(value, spread, "auto")
    for number in value[0].tolist():
        text = form.write(number)
        assert not text.startswith("-") or float(text) != 0.0
        mantissa, _, power = text.partition("e")
        unit = 10.0 ** (int(power or 0) - len(mantissa.partition(".")[2]))
        assert abs(float(text) - number) <= 0.5 * unit * (1 + 1e-9)


@pytest.mark.parametrize(
    ("p", "expected"),
    [
        (0.0, "< .001"),
        (0.00099999, "< .001"),
        (0.001, ".001"),
        (0.0286, ".029"),
        (0.05, ".050"),
        (0.9994, ".999"),
        (0.9996, "1.000"),
        (1.0, "1.000"),
        (NAN, "\N{EN DASH}"),
    ],
)
def test_p_values_have_three_decimals(p, expected):
    assert write_p(p) == expected


def test_decimals_that_numbers_have_are_counted():
    assert needed_decimals(np.array([0.1, 0.25, 3.0])) == 2
    assert needed_decimals(np.array([0.1 + 0.2])) == 1
    assert needed_decimals(np.array([1 / 3])) == 12  # to a relative 1e-12
    assert needed_decimals(np.array([NAN])) == 0


@pytest.mark.parametrize("digits", [-1, 16, 2.0, True, "many", None])
def test_digits_are_a_number_of_decimals(digits):
    with pytest.raises(BeamError, match="digits must be"):
        check_digits(digits)
