"""The table from a model's indents to a file's."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dataagent_core.errors import ValidationError
from dataagent_core.tools.files.edits.edit_application import Edit, apply_edit
from dataagent_core.tools.files.edits.strategies.indents import find_indent_unit, make_indent_table

UNITS = st.sampled_from(["\t", "  ", "    "])


@st.composite
def programs(draw: st.DrawFn) -> list[tuple[int, str]]:
    """Draw lines with their depth, each at most one deeper than the line before it opens."""
    lines: list[tuple[int, str]] = []
    depth = 0
    for number in range(draw(st.integers(3, 12))):
        opens = draw(st.booleans())
        lines.append((depth, f"line_{number}_{':' if opens else 'end'}"))
        depth = depth + 1 if opens else draw(st.integers(0, depth))
    return lines


def written(lines: list[tuple[int, str]], unit: str, *, deeper: int = 0) -> str:
    return "\n".join(unit * (depth + deeper) + text for depth, text in lines)


@given(
    program=programs(),
    file_unit=UNITS,
    model_unit=UNITS,
    shift=st.integers(-2, 2),
    data=st.data(),
)
def test_17_4_indentation_is_carried_over_exactly_or_the_edit_is_refused(
    program: list[tuple[int, str]], file_unit: str, model_unit: str, shift: int, data: st.DataObject
):
    """Some lines are wrapped in a block, written in other steps and another depth than the file."""
    first = data.draw(st.integers(0, len(program) - 1))
    after = data.draw(st.integers(first + 1, len(program)))
    old = program[first:after]
    margin = min(depth for depth, _ in old)
    assume(margin + shift >= 0 and old[0][0] == margin)
    inside = data.draw(st.integers(1, len(old)))
    new = [(margin, "if wrapped:"), *((d + 1, text) for d, text in old[:inside]), *old[inside:]]
    text, gold = (
        written([*program[:first], *part, *program[after:]], file_unit) for part in (old, new)
    )
    strings = [written(part, model_unit, deeper=shift) for part in (old, new)]
    # A file without blocks has no steps, and an old string found as it is shows those of the new.
    shows_steps = find_indent_unit(text.split("\n")) == file_unit
    assume(model_unit == file_unit or (shows_steps and strings[0] != written(old, file_unit)))
    try:
        edited = apply_edit(text, Edit(strings[0], strings[1]))
    except ValidationError:
        # With the file's own steps at the file's own depth there is nothing to refuse.
        assert model_unit != file_unit or shift
    else:
        assert edited.text == gold


@given(
    program=programs(),
    unit=UNITS,
    tails=st.lists(st.sampled_from(["", " ", "  "]), min_size=14, max_size=14),
    new_tails=st.booleans(),
)
def test_17_4_spaces_at_line_ends_never_cost_the_indentation(
    program: list[tuple[int, str]], unit: str, tails: list[str], *, new_tails: bool
):
    text = written(program, unit)
    margin = min(depth for depth, _ in program)
    wrapped = [(margin, "if wrapped:"), *((depth + 1, line) for depth, line in program)]
    lines = written(program, unit).split("\n")
    assume(any(tail for tail, _ in zip(tails, lines, strict=False)))
    old = "\n".join(line + tail for line, tail in zip(lines, tails, strict=False))
    new = written(wrapped, unit)
    if new_tails:
        new = "\n".join(
            line + tail for line, tail in zip(new.split("\n"), ["", *tails], strict=False)
        )
    assert apply_edit(text, Edit(old, new)).text == written(wrapped, unit)


@given(st.lists(st.tuples(st.text(" \t", max_size=6), st.text(" \t", max_size=6)), max_size=6))
def test_17_4_an_indent_that_stands_for_two_is_refused(pairs: list[tuple[str, str]]):
    meanings = {model: {file for one, file in pairs if one == model} for model, _ in pairs}
    if any(len(files) > 1 for files in meanings.values()):
        with pytest.raises(ValidationError, match="and with"):
            make_indent_table(pairs, "", "")
    else:
        table = make_indent_table(pairs, "", "")
        assert all(table.carry(model) == file for model, file in pairs)


@given(
    st.dictionaries(st.text(" \t", max_size=6), st.text(" \t", max_size=6), max_size=4),
    st.text(" \t", max_size=8),
    st.sampled_from(["", "\t", "  ", "    "]),
    st.sampled_from(["", "\t", "  ", "    "]),
)
def test_17_4_no_new_indent_mixes_tabs_and_spaces_that_the_model_did_not_mix(
    known: dict[str, str], indent: str, model_unit: str, file_unit: str
):
    assume(indent not in known)
    table = make_indent_table(known.items(), model_unit, file_unit)
    try:
        carried = table.carry(indent)
    except ValidationError:
        return
    assert carried == indent or not {" ", "\t"} <= set(carried)


def test_the_step_of_a_file_is_that_of_its_blocks():
    lines = [
        "def f(a,",
        "      b):",
        "    if a:",
        "        return {",
        "            1,",
        "        }",
    ]
    assert find_indent_unit(lines) == "    "
    assert find_indent_unit(["a", "", "b"]) == ""
