"""The program that checks one document against one schema, in a process that may be killed.

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
    """Check one document and exit."""
    request = json.load(sys.stdin)
    seconds = int(request["cpu_s_max"]) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES_MAX, _MEMORY_BYTES_MAX))
    schema = request["schema"]
    dialect = validator_for(schema, default=Draft202012Validator)
    # An empty registry: whatever is not in the schema itself cannot be reached.
    validator = dialect(schema, registry=Registry(), format_checker=dialect.FORMAT_CHECKER)
    errors = islice(validator.iter_errors(json.loads(request["document"])), request["problems_max"])
    problems = [f"{error.json_path}: {error.message}"[: request["chars_max"]] for error in errors]
    json.dump(problems, sys.stdout)


if __name__ == "__main__":
    main()
