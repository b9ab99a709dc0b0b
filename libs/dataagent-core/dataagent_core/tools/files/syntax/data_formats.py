"""JSON, TOML and YAML, by the parsers that read them elsewhere too."""

import json
import tomllib

import yaml

# The one in C is twenty times as fast; wheels have it, a build without libyaml has not.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def json_error(text: str) -> str | None:
    """Parse JSON."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return f"line {error.lineno}: {error.msg}"
    except RecursionError:
        return None
    return None


def toml_error(text: str) -> str | None:
    """Parse TOML."""
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return str(error)
    except RecursionError:
        return None
    return None


def yaml_error(text: str) -> str | None:
    """Read YAML's events only: no value is made, and an alias is not followed."""
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
