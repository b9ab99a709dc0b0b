"""The program that checks one document against one schema, in a process that may be ended.

Reads `{"schema", "document", "problems_max", "chars_max", "cpu_s_max"}` from standard input and
writes a JSON list of problems. Started by its path (`form.py`), so it imports nothing of ours.
"""

import json
import resource
import sys
from itertools import islice

from jsonschema.validators import Draft202012Validator, validator_for
from referencing import Registry

_MEMORY_BYTES_MAX = 1024 * 1024 * 1024


def main() -> None:
    """Answer one question and end."""
    asked = json.load(sys.stdin)
    seconds = int(asked["cpu_s_max"]) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES_MAX, _MEMORY_BYTES_MAX))
    schema = asked["schema"]
    dialect = validator_for(schema, default=Draft202012Validator)
    # An empty registry: whatever is not in the schema itself cannot be reached.
    validator = dialect(schema, registry=Registry(), format_checker=dialect.FORMAT_CHECKER)
    errors = islice(validator.iter_errors(json.loads(asked["document"])), asked["problems_max"])
    told = [f"{error.json_path}: {error.message}"[: asked["chars_max"]] for error in errors]
    json.dump(told, sys.stdout)


if __name__ == "__main__":
    main()
