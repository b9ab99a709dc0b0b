"""JSON, TOML and YAML, by the parsers that read them elsewhere too."""

import json
import re
import tomllib
from itertools import accumulate

import yaml

from dataagent_core.config.limits import EDIT_PARSED_DEPTH_MAX

# The one in C is twenty times as fast; wheels have it, a build without libyaml has not.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_BRACKET = re.compile(r"[\[\]{}]")


def find_json_error(text: str) -> str | None:
    """Parse JSON."""
    try:
        # Numbers stay text: Python refuses to convert very long ones, which are right in JSON.
        json.loads(text, parse_int=str)
    except json.JSONDecodeError as error:
        return f"line {error.lineno}: {error.msg}"
    except RecursionError:
        return None
    return None


def find_toml_error(text: str) -> str | None:
    """Parse TOML."""
    # Each part of a dotted key is looked up from the first again.
    if any(line.count(".") > EDIT_PARSED_DEPTH_MAX for line in text.split("\n")):
        return None
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return str(error)
    except (RecursionError, ValueError):
        # A number that is longer than Python converts is not wrong.
        return None
    return None


def find_yaml_error(text: str) -> str | None:
    """Read YAML's events only: no value is made, and an alias is not followed."""
    if _bracket_depth(text) > EDIT_PARSED_DEPTH_MAX:
        return None
    try:
        for _ in yaml.parse(text, Loader=_LOADER):
            pass
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        return f"line {line}: {error.problem}"
    except yaml.YAMLError as error:
        return str(error)
    except RecursionError:
        return None
    return None


def _bracket_depth(text: str) -> int:
    """Count how many brackets are open at once: libyaml looks at all of them at every token."""
    steps = (1 if match[0] in "[{" else -1 for match in _BRACKET.finditer(text))
    return max(accumulate(steps), default=0)
