"""RESULTS.md by its sections: a benchmark replaces its own and leaves the others as they are."""

from pathlib import Path

RESULTS = Path(__file__).with_name("RESULTS.md")
_START = "## "


def sections_of(text: str) -> dict[str, str]:
    """Split a text at its headings; what stands before the first one has the name ""."""
    found = {"": ""}
    name = ""
    for line in text.splitlines(keepends=True):
        if line.startswith(_START):
            name = line.strip()
            found[name] = ""
        found[name] += line
    return found


def replace_sections(text: str) -> None:
    """Write the sections of `text` over those of the same name; new ones come last."""
    written = sections_of(RESULTS.read_text()) if RESULTS.exists() else {}
    new = {name: section for name, section in sections_of(text).items() if section.strip()}
    both = (section.strip() for section in (written | new).values())
    RESULTS.write_text("\n\n".join(section for section in both if section) + "\n")
