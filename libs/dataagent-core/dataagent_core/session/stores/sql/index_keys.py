"""Keys made by a model or a client: any text, of any length, made to fit an indexed column.

Tool-call ids come from the model. SQLite indexes any text; elsewhere what is too long, or holds
NUL, is replaced by its digest, and the text itself is kept in a column that is not indexed.
"""

import hashlib
from typing import Final

from dataagent_core.session.stores.sql.dialect import DialectName

KEY_CHARS_MAX: Final = 255
_DIGEST: Final = "sha256:"


def index_key(key: str, dialect: DialectName) -> str:
    """Return the key, or what stands for it in an index."""
    if dialect == "sqlite" or (len(key) <= KEY_CHARS_MAX and "\0" not in key):
        return key
    return f"{_DIGEST}{hashlib.sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()}"


def is_digest(key: str) -> bool:
    """Say whether a key of an index stands for a longer one."""
    return key.startswith(_DIGEST)
