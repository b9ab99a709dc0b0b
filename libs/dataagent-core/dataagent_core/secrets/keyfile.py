"""The file of secret keys: made once for its owner only, read at every start.

One line a key, `KEY_ID BASE64`, the current one first; a line that starts with `#` is a note. A
key is replaced by putting a new line above it; the old line stays until nothing needs it.
"""

import base64
import binascii
import os
import re
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from dataagent_core.errors import ConfigurationError
from dataagent_core.secrets.keyring import KEY_BYTES, Keyring, SecretKey

_FILE_BYTES_MAX = 64_000
_KEYS_MAX = 100
_KEY_ID = re.compile(r"[A-Za-z0-9-]{1,32}\Z")
_NOTE = (
    "# DataAgent's secret keys: the first line is used for what is new, the others for what is\n"
    "# old. Without this file API keys, sign-ins and stored model keys cannot be read: keep a\n"
    "# copy, apart from the copies of the database.\n"
)


def open_keyring(path: Path) -> Keyring:
    """Read the key file, making it if this is the first start."""
    with suppress(FileNotFoundError):
        return _read(path)
    _make(path)
    return _read(path)


def new_key_line() -> str:
    """Make a line for the key file with a fresh key."""
    material = base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()
    return f"{secrets.token_hex(4)} {material}\n"


def _make(path: Path) -> None:
    # Written aside and linked into place: another process that starts now sees a whole file or
    # none, and of two that make one only the first counts.
    aside = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(_NOTE + new_key_line())
                file.flush()
                os.fsync(file.fileno())
            with suppress(FileExistsError):
                os.link(aside, path)
            _sync_directory(path.parent)
        finally:
            aside.unlink()
    except OSError as error:
        raise ConfigurationError(
            f"The key file {path} cannot be made: {error.strerror or error}. Make its folder "
            "writable, or name another file with DATAAGENT_SECRET_KEY_FILE."
        ) from error


def _sync_directory(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _read(path: Path) -> Keyring:
    try:
        with path.open("rb") as file:
            _refuse_open_to_others(path, os.fstat(file.fileno()))
            data = file.read(_FILE_BYTES_MAX + 1)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise ConfigurationError(
            f"The key file {path} cannot be read: {error.strerror or error}. Make it readable for "
            "the account the server runs as, or name another with DATAAGENT_SECRET_KEY_FILE."
        ) from error
    keys = _parse(path, data)
    if len({key.key_id for key in keys}) != len(keys):
        raise ConfigurationError(f"The key file {path} has two keys of one id: rename one.")
    return Keyring(keys)


def _refuse_open_to_others(path: Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise ConfigurationError(f"The key file {path} is not a file.")
    # The group may read: that is how systemd and Kubernetes hand a secret to a service.
    if status.st_mode & (stat.S_IRWXO | stat.S_IWGRP | stat.S_IXGRP):
        raise ConfigurationError(
            f"The key file {path} is open to others (mode {stat.S_IMODE(status.st_mode):04o}), who "
            f"could read every stored secret with it. Close it with: chmod 600 {path}"
        )


def _parse(path: Path, data: bytes) -> tuple[SecretKey, ...]:
    lines = data.decode("utf-8", "replace").splitlines()
    written = [line for line in lines if line.strip() and not line.startswith("#")]
    if not written or len(written) > _KEYS_MAX or len(data) > _FILE_BYTES_MAX:
        raise ConfigurationError(
            f"The key file {path} holds no keys, or too much to be one: restore it from a copy. A "
            "new one is made when there is none, but cannot read what the old one protected."
        )
    return tuple(_parse_line(path, number, line) for number, line in enumerate(written, 1))


def _parse_line(path: Path, number: int, line: str) -> SecretKey:
    key_id, _, encoded = line.strip().partition(" ")
    try:
        material = base64.b64decode(encoded.strip(), validate=True)
    except (binascii.Error, ValueError):
        material = b""
    if not _KEY_ID.match(key_id) or len(material) != KEY_BYTES:
        raise ConfigurationError(
            f"Key {number} of the key file {path} is not an id and {KEY_BYTES} bytes in base64. "
            "Restore the file from a copy."
        )
    return SecretKey(key_id, material)
