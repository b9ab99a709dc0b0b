"""One JSON document on stdout, for commands that look something up."""

import json
import sys
from typing import Any


def write_document(value: Any) -> None:
    """Write a value, indented; lone surrogates are escaped, because UTF-8 cannot hold them."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    try:
        data = text.encode()
    except UnicodeEncodeError:
        data = json.dumps(value, indent=2).encode()
    sys.stdout.buffer.write(data + b"\n")
    sys.stdout.buffer.flush()
