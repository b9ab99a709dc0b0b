"""Maps a driver's error: retry, or one of core's errors with a sentence for a person."""

from sqlalchemy import URL
from sqlalchemy.exc import (
    DataError,
    DBAPIError,
    IntegrityError,
    ProgrammingError,
    SQLAlchemyError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from dataagent_core.errors import ConflictError, DataAgentError, StorageError, ValidationError

_POSTGRES_RETRY = {"40001", "40P01"}  # serialization failure, deadlock
_MYSQL_RETRY = {1020, 1205, 1213}  # record changed, lock wait time-out, deadlock


def is_contention(error: DBAPIError) -> bool:
    """Return whether the database ended this transaction in favour of another."""
    original = error.orig
    if getattr(original, "sqlstate", None) in _POSTGRES_RETRY:
        return True
    arguments = getattr(original, "args", ())
    return bool(arguments) and arguments[0] in _MYSQL_RETRY


def is_lost_connection(error: Exception) -> bool:
    """Return whether the connection is lost."""
    if isinstance(error, DBAPIError):
        return error.connection_invalidated
    return isinstance(error, OSError | EOFError)


def explain_error(error: Exception, url: URL) -> DataAgentError:
    """Map an error of a driver or the pool to one of core's errors."""
    match error:
        case PoolTimeoutError():
            return StorageError(
                f"every connection to {url} is in use. Wait, or allow more with "
                "DATAAGENT_MYSQL_POOL_SIZE and DATAAGENT_MYSQL_MAX_OVERFLOW."
            )
        case IntegrityError():
            return ConflictError(f"the database refused a duplicate or an orphan: {error.orig}.")
        case DataError():
            return ValidationError(f"a value does not fit the database: {error.orig}.")
        case ProgrammingError():
            return StorageError(
                f"database {url}: {error.orig}. If a table or column is missing, run "
                "`dataagent-server migrate`."
            )
        case UnicodeEncodeError():
            return ValidationError(
                f"an id or a name holds {error.object[error.start]!r}, which is no character; "
                "use letters that can be written as UTF-8."
            )
        case SQLAlchemyError() | OSError() | EOFError():
            reason = error.orig if isinstance(error, DBAPIError) else error
            return StorageError(
                f"database {url} cannot be used: {reason}. Check that it runs and that this "
                "server can reach it."
            )
        case _:
            raise error
