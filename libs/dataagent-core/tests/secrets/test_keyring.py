"""The key file, and what is made with its keys."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from string import ascii_letters, digits

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dataagent_core.errors import ConfigurationError, StorageError
from dataagent_core.secrets import Cipher, Keyring, SecretKey, SecretLocation, open_keyring
from dataagent_core.secrets.keyfile import new_key_line

ONE = SecretKey("one", b"1" * 32)
TWO = SecretKey("two", b"2" * 32)
words = st.text(max_size=20)


def test_the_file_is_made_for_its_owner_only_and_kept(tmp_path: Path):
    file = tmp_path / "home" / "secret.key"
    first = open_keyring(file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert open_keyring(file) == first
    assert [one.name for one in file.parent.iterdir()] == ["secret.key"]


def test_of_servers_that_start_together_all_use_one_key(tmp_path: Path):
    with ThreadPoolExecutor(16) as threads:
        rings = list(threads.map(open_keyring, [tmp_path / "secret.key"] * 64))
    assert len({ring.current.key_id for ring in rings}) == 1


@pytest.mark.parametrize("mode", [0o644, 0o604, 0o620, 0o666])
def test_a_file_open_to_others_is_refused_with_the_way_out(tmp_path: Path, mode: int):
    file = tmp_path / "secret.key"
    open_keyring(file)
    file.chmod(mode)
    with pytest.raises(ConfigurationError, match="chmod 600"):
        open_keyring(file)


@pytest.mark.parametrize(
    "text", ["", "# only a note\n", "one\n", "one QUJD\n", "bad/id " + "A" * 44, "\x00\xff"]
)
def test_a_damaged_file_is_refused_and_left_as_it_is(tmp_path: Path, text: str):
    file = tmp_path / "secret.key"
    file.touch(0o600)
    file.write_text(text)
    with pytest.raises(ConfigurationError, match=r"[Rr]estore"):
        open_keyring(file)
    assert file.read_text() == text


def test_a_new_line_on_top_rotates_and_the_old_key_still_reads(tmp_path: Path):
    file = tmp_path / "secret.key"
    place = SecretLocation("t", "kind", "1")
    old = Cipher(open_keyring(file)).encrypt("secret", place)
    file.write_text(new_key_line() + file.read_text())
    ring = open_keyring(file)
    assert Cipher(ring).decrypt(old, place) == "secret"
    assert (
        Cipher(ring).encrypt("secret", place).split(".")[1]
        == ring.current.key_id
        != old.split(".")[1]
    )


@given(words, words, words, words)
def test_what_is_encrypted_is_decrypted(secret: str, tenant: str, kind: str, item: str):
    cipher, place = Cipher(Keyring([ONE])), SecretLocation(tenant, kind, item)
    assert cipher.decrypt(cipher.encrypt(secret, place), place) == secret


@given(words, st.tuples(words, words, words), st.tuples(words, words, words))
def test_a_ciphertext_moved_to_another_place_does_not_decrypt(
    secret: str, here: tuple[str, str, str], there: tuple[str, str, str]
):
    assume(here != there)
    cipher = Cipher(Keyring([ONE]))
    with pytest.raises(StorageError):
        cipher.decrypt(cipher.encrypt(secret, SecretLocation(*here)), SecretLocation(*there))


@given(st.integers(min_value=0), st.characters(codec="ascii"))
def test_a_changed_ciphertext_does_not_decrypt(position: int, character: str):
    cipher, place = Cipher(Keyring([ONE])), SecretLocation("t", "k", "i")
    stored = cipher.encrypt("secret", place)
    at = position % len(stored)
    changed = stored[:at] + character + stored[at + 1 :]
    assume(changed != stored)
    with pytest.raises((StorageError, ConfigurationError)):
        assert cipher.decrypt(changed, place) != "secret"


def test_no_character_stands_for_the_last_one():
    cipher, place = Cipher(Keyring([ONE])), SecretLocation("t", "k", "i")
    stored = cipher.encrypt("secret", place)
    kept, padding = stored.rstrip("="), stored[len(stored.rstrip("=")) :]
    assert padding
    for character in set(ascii_letters + digits + "+/") - {kept[-1]}:
        with pytest.raises(StorageError):
            cipher.decrypt(kept[:-1] + character + padding, place)


def test_a_missing_key_is_named():
    place = SecretLocation("t", "k", "i")
    stored = Cipher(Keyring([ONE])).encrypt("secret", place)
    with pytest.raises(ConfigurationError, match="'one'"):
        Cipher(Keyring([TWO])).decrypt(stored, place)


def test_hashes_differ_by_purpose_and_by_key():
    ring = Keyring([ONE, TWO])
    assert len({*ring.hashes("api-key", "x"), *ring.hashes("one-time", "x")}) == 4


def test_no_key_is_shown_by_repr():
    assert "111" not in repr(Keyring([ONE]))
