"""YAML of people is read as values that can be stored, compared and shown."""

import pytest

from dataagent_core.config.files.yaml_file import read_yaml
from dataagent_core.errors import ValidationError


@pytest.mark.parametrize(
    "value",
    [
        r'"\ud800"',
        r'{"\udfff": 1}',
        r'[[{a: "x\ud83d"}]]',
        f"0x{'f' * 5_000}",
        f"[-0b{'1' * 2_000}]",
    ],
)
def test_what_no_store_and_no_answer_can_hold_is_refused(value: str):
    with pytest.raises(ValidationError, match=r"half a character|bits"):
        read_yaml(f"value: {value}\n", "the file", 100_000)


def test_whole_characters_and_usual_numbers_are_read():
    text = r'value: ["\U0001f44b", "a\0b", 0xff, true, 9999999999999999999999, 1.5]'
    assert read_yaml(text, "the file", 1_000) == {
        "value": ["\U0001f44b", "a\0b", 255, True, 9999999999999999999999, 1.5]
    }
