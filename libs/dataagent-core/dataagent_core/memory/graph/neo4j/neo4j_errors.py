"""What goes wrong with Neo4j, as our errors: with its address, never with the password."""

from collections.abc import Generator
from contextlib import contextmanager

from neo4j.exceptions import (
    AuthError,
    ConstraintError,
    DriverError,
    Neo4jError,
    ServiceUnavailable,
    TransactionError,
)

from dataagent_core.errors import ConfigurationError, ConflictError, StorageError


@contextmanager
def translate_errors(address: str) -> Generator[None]:
    """Raise our errors in the place of the driver's."""
    try:
        yield
    except AuthError as error:
        raise ConfigurationError(
            f"Neo4j at {address} refuses the sign-in: check DATAAGENT_NEO4J_USER and "
            "DATAAGENT_NEO4J_PASSWORD."
        ) from error
    except ConstraintError as error:
        raise ConflictError(
            "Another process has stored the same thing in Neo4j meanwhile: read the graph again."
        ) from error
    except TransactionError as error:
        # A statement failed before; that error was raised where it happened.
        raise StorageError(f"Neo4j at {address} has ended the transaction: {error}") from error
    except (DriverError, OSError) as error:
        raise StorageError(
            f"Neo4j at {address} cannot be reached; what was not stored is tried again later."
        ) from error
    except Neo4jError as error:
        raise StorageError(f"Neo4j at {address} failed: {error.message}") from error


def explain_unreachable(address: str, error: Exception) -> ConfigurationError:
    """Say at the start of a server which setting is wrong."""
    if isinstance(error, (ServiceUnavailable, OSError)):
        return ConfigurationError(
            f"DATAAGENT_NEO4J_URI={address}: nothing answers there. Start Neo4j or correct the "
            "address."
        )
    return ConfigurationError(f"DATAAGENT_NEO4J_URI={address}: it cannot be used: {error}.")
