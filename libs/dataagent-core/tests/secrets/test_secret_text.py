"""What looks like a secret is masked, in whatever text it stands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.secrets.secret_text import MASK, mask_secrets

SECRET = "s3cr3t-Value_42"


@pytest.mark.parametrize(
    "text",
    [
        f"Authorization: Bearer {SECRET}",
        f"authorization: {SECRET}",
        f"X-API-Key: {SECRET}",
        f"Cookie: dataagent_session={SECRET}; other=1",
        f"GET /ws/chat/a?ticket={SECRET}&after=3",
        f"/sign-in?token={SECRET}",
        f"{{'api_key': '{SECRET}', 'x': 1}}",
        f'{{"password": "{SECRET}"}}',
        f"mysql://root:{SECRET}@db/x",
        f"redis://:{SECRET}@cache",
        f"Bearer {SECRET}",
        "the key is da_0123456789ab_" + SECRET,
        "sk-ant-api03-" + SECRET,
        f"postgres://ada:p@{SECRET}@db/x",
        f"headers: [(b'x-api-key': b'{SECRET}')]",
        f"MYSQL_PWD='my {SECRET}' mysql",
        f'export DEPLOY_TOKEN="a b {SECRET}"',
        f"AccountKey={SECRET};Endpoint=x",
    ],
)
def test_secrets_are_masked(text: str):
    assert SECRET not in mask_secrets(text)


@pytest.mark.parametrize(
    "key",
    [
        "AKIAIOSFODNN7EXAMPLE",
        "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        "glpat-20chars-of-a-secret1",
        "xoxb-123456789012-abcdef",
        "AIzaSyA1234567890abcdefghijklmnopqrstuv",
        "hf_abcdefghijklmnop1234",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.sflKxwRJSMeKKF2QT4",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7",
    ],
)
def test_the_keys_of_providers_are_known_by_their_shape(key: str):
    assert mask_secrets(f"use {key} here").startswith(f"use {MASK}")
    assert key not in mask_secrets(f"use {key} here")


@given(st.text())
def test_masking_never_fails(text: str):
    mask_secrets(text)


@pytest.mark.parametrize(
    "part",
    [
        ":",
        "://:",
        "token:",
        "token: '",
        "bearer ",
        "eyJ",
        "AKIA",
        "-----BEGIN ",
        "pwd='",
        "secret = \"'",
    ],
)
def test_a_hostile_text_is_read_once(part: str):
    # A search that starts again at each sign would take hours, and the test its time limit.
    mask_secrets(f"://{part * 100_000}")


def test_words_around_a_secret_stay():
    assert (
        mask_secrets("connect to mysql://ada:x@db now") == f"connect to mysql://ada:{MASK}@db now"
    )
