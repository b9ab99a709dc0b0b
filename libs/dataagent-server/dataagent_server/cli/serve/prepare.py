"""Prepares the first start: the schema, the default tenant's admin, a key or a sign-in URL.

Done once by the starting process, before any worker; each worker opens its own services.
"""

import time
from typing import Final
from urllib.parse import quote

from dataagent_core.errors import NotFoundError
from dataagent_core.models import detect_model
from dataagent_core.secrets import open_keyring
from dataagent_server.cli.serve.sample import offer_sample
from dataagent_server.cli.serve.welcome_text import Welcome
from dataagent_server.common.ids import DEFAULT_ADMIN, DEFAULT_TENANT
from dataagent_server.common.pagination import PageRequest
from dataagent_server.composition import PeopleServices, open_current_database, open_people
from dataagent_server.identity.auth.cache import PrincipalCache
from dataagent_server.identity.auth.principal import operator
from dataagent_server.settings import ServerSettings

SIGN_IN_PATH: Final = "/api/v1/auth/sign-in"
_FIRST_KEY_NAME: Final = "first key"


async def prepare_welcome(settings: ServerSettings, url: str, *, sample: bool = False) -> Welcome:
    """Bring the database up to date and create what the greeting shows."""
    keyring = open_keyring(settings.secret_key_path)
    model = settings.model or str(detect_model(settings).spec)
    database = await open_current_database(settings)
    try:
        cache = PrincipalCache(time.monotonic)
        async with open_people(settings, database, keyring, cache) as people:
            if sample:
                await offer_sample(settings, database, people)
            if settings.auth_disabled:
                return Welcome(None, None, model, auth_disabled=True, sample=sample)
            try:
                token = await people.sign_in.sign_in_token(operator(DEFAULT_TENANT), DEFAULT_ADMIN)
            except NotFoundError:
                # The first admin was removed; other users sign in with a password or a key.
                return Welcome(None, None, model, auth_disabled=False, sample=sample)
            first_key = None if settings.api_keys else await _create_first_key(people)
    finally:
        await database.aclose()
    sign_in_url = f"{url}{SIGN_IN_PATH}?token={quote(token)}"
    return Welcome(sign_in_url, first_key, model, auth_disabled=False, sample=sample)


async def _create_first_key(people: PeopleServices) -> str | None:
    """Create the admin's first key; None when there ever was one, revoked ones included."""
    asker = operator(DEFAULT_TENANT)
    known = await people.keys.list(asker, PageRequest(None, 1), user_id=DEFAULT_ADMIN)
    if known.items:
        return None
    made = await people.keys.create(asker, _FIRST_KEY_NAME, user_id=DEFAULT_ADMIN)
    return made.secret
