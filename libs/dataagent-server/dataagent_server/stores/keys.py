"""Keys made by a model or a client: any text, of any length, made to fit an indexed column.

Tool-call ids come from the model. SQLite indexes any text; elsewhere what is too long, or holds
NUL, is replaced by its digest, and the text itself is kept in a column that is not indexed.
"""

import hashlib

from dataagent_server.db.database import Dialect
from dataagent_server.db.types import KEY_CHARS_MAX


def indexed(key: str, dialect: Dialect) -> str:
    """Return the key, or what stands for it in an index."""
    if dialect == "sqlite" or (len(key) <= KEY_CHARS_MAX and "\0" not in key):
        return key
    return f"sha256:{hashlib.sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()}"
