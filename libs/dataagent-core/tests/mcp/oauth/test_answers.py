"""What a browser brings back is believed only when it belongs to this sign-in of this person."""

from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from mcp_auth_server import REDIRECT_URI, AuthServer
from mcp_people import ADA, BOB, Clock, a_sign_in
from starlette.responses import JSONResponse, Response

from dataagent_core.errors import ConfigurationError, MCPServerError, ValidationError
from dataagent_core.mcp.config import MCPServerConfig, OAuthSettings
from dataagent_core.mcp.oauth import CallbackAnswer, FileTokenStore
from dataagent_core.mcp.owner import Owner

NOT_YOURS = "not yours, was finished already, or took too long"


async def test_a_callback_works_once(server: AuthServer, store: FileTokenStore):
    sign_in = a_sign_in(store)
    url, _ = await sign_in.begin(ADA, server.config(), REDIRECT_URI)
    answer = await server.consent(url)
    tokens = await sign_in.finish(ADA, answer)
    with pytest.raises(ValidationError, match=NOT_YOURS):
        await sign_in.finish(ADA, answer)
    assert await store.get_tokens(ADA, server.url()) == tokens
    assert server.counts["/token"] == 1


@pytest.mark.requirement("S2-10.3.3-state")
async def test_an_attackers_answer_is_refused_and_their_code_never_used(
    server: AuthServer, store: FileTokenStore
):
    sign_in = a_sign_in(store)
    _, flow = await sign_in.begin(ADA, server.config(), REDIRECT_URI)
    url, _ = await a_sign_in(store).begin(BOB, server.config(), REDIRECT_URI)
    theirs = await server.consent(url, "bob")
    for answer in (theirs, replace(theirs, state=""), replace(theirs, state=flow.state[:-1])):
        with pytest.raises(ValidationError, match=NOT_YOURS):
            await sign_in.finish(ADA, answer)
    assert server.counts["/token"] == 0


@pytest.mark.parametrize("owner", [BOB, Owner("other", "ada")])
async def test_a_stolen_state_is_worth_nothing_to_somebody_else(
    server: AuthServer, store: FileTokenStore, owner: Owner
):
    sign_in = a_sign_in(store)
    url, _ = await sign_in.begin(ADA, server.config(), REDIRECT_URI)
    answer = await server.consent(url)
    with pytest.raises(ValidationError, match=NOT_YOURS):
        await sign_in.finish(owner, answer)
    assert server.counts["/token"] == 0
    assert await store.get_tokens(owner, server.url()) is None


async def test_ten_minutes_are_not_too_long_and_an_hour_is(
    server: AuthServer, store: FileTokenStore
):
    for waited_s, in_time in ((600, True), (3600, False)):
        clock = Clock(1e9)
        sign_in = a_sign_in(store, clock=clock)
        url, _ = await sign_in.begin(ADA, server.config(), REDIRECT_URI)
        answer = await server.consent(url)
        clock.now += waited_s
        if in_time:
            await sign_in.finish(ADA, answer)
        else:
            with pytest.raises(ValidationError, match=NOT_YOURS):
                await sign_in.finish(ADA, answer)


@pytest.mark.parametrize(
    ("does", "said"),
    [
        ({"wrong_iss": "https://evil.example"}, "says it is 'https://evil.example'"),
        ({"sends_iss": False}, "does not say who it is"),
        ({"wrong_iss": "https://evil.example", "promises_iss": False}, "says it is"),
    ],
)
async def test_another_servers_answer_is_refused(
    server: AuthServer, store: FileTokenStore, does: dict[str, Any], said: str
):
    for name, value in does.items():
        setattr(server.does, name, value)
    sign_in = a_sign_in(store)
    url, _ = await sign_in.begin(ADA, server.config(), REDIRECT_URI)
    with pytest.raises(MCPServerError, match=said):
        await sign_in.finish(ADA, await server.consent(url))
    assert server.counts["/token"] == 0


async def test_who_promised_no_name_may_leave_it_out(server: AuthServer, store: FileTokenStore):
    server.does.sends_iss = server.does.promises_iss = False
    sign_in = a_sign_in(store)
    url, _ = await sign_in.begin(ADA, server.config(), REDIRECT_URI)
    assert await sign_in.finish(ADA, await server.consent(url))


@pytest.mark.parametrize(
    ("iss", "fits"),
    [("{issuer}/path", True), ("https://evil.example", False), ("javascript:alert(1)", False)],
)
async def test_with_end_points_written_down_a_name_must_be_of_their_origin(
    server: AuthServer, store: FileTokenStore, iss: str, fits: bool
):
    server.clients["known"] = {"redirect_uris": [REDIRECT_URI]}
    server.does.wrong_iss = iss.format(issuer=server.issuer)
    oauth = OAuthSettings(
        authorization_endpoint=server.url("/authorize"),
        token_endpoint=server.url("/token"),
        client_id="known",
    )
    sign_in = a_sign_in(store)
    url, _ = await sign_in.begin(ADA, server.config(oauth=oauth), REDIRECT_URI)
    answer = await server.consent(url)
    if fits:
        await sign_in.finish(ADA, answer)
    else:
        with pytest.raises(MCPServerError, match="should come from"):
            await sign_in.finish(ADA, answer)


async def test_a_no_is_told_in_one_harmless_line(server: AuthServer, store: FileTokenStore):
    sign_in = a_sign_in(store)
    _, flow = await sign_in.begin(ADA, server.config(), REDIRECT_URI)
    said = "you\x1b[2J\nsaid " + "no" * 1000
    answer = CallbackAnswer(
        state=flow.state, iss=server.issuer, error="access_denied", error_description=said
    )
    with pytest.raises(MCPServerError, match="access_denied you") as found:
        await sign_in.finish(ADA, answer)
    assert str(found.value).isprintable()
    assert len(str(found.value)) < 500


@pytest.mark.parametrize(
    "reply",
    [
        JSONResponse({"access_token": "bad\r\ntoken", "token_type": "Bearer"}),
        JSONResponse({"access_token": "", "token_type": "Bearer"}),
        JSONResponse({"access_token": "x", "token_type": "mac"}),
        JSONResponse({"access_token": "x" * 40_000}),
        JSONResponse({"access_token": ["x"]}),
        JSONResponse(["x"]),
        Response("access_token=x&token_type=bearer"),
    ],
)
async def test_what_is_no_token_is_not_stored(
    server: AuthServer, store: FileTokenStore, reply: Response
):
    server.does.instead["/token"] = lambda: reply
    sign_in = a_sign_in(store)
    url, _ = await sign_in.begin(ADA, server.config(), REDIRECT_URI)
    with pytest.raises(MCPServerError, match="no bearer token"):
        await sign_in.finish(ADA, await server.consent(url))
    assert await store.get_tokens(ADA, server.url()) is None


async def test_a_no_with_status_200_is_a_no(server: AuthServer, store: FileTokenStore):
    reply = {"error": "bad_verification_code", "access_token": "x"}
    server.does.instead["/token"] = lambda: JSONResponse(reply)
    sign_in = a_sign_in(store)
    url, _ = await sign_in.begin(ADA, server.config(), REDIRECT_URI)
    with pytest.raises(MCPServerError, match="did not sign you in: bad_verification_code"):
        await sign_in.finish(ADA, await server.consent(url))


async def test_a_lifetime_without_measure_is_cut(server: AuthServer, store: FileTokenStore):
    for says, at_most_s in ((10**18, 10 * 365 * 86_400), (-5, 0)):
        server.does.lifetime_s = says
        sign_in = a_sign_in(store)
        url, _ = await sign_in.begin(ADA, server.config(), REDIRECT_URI)
        tokens = await sign_in.finish(ADA, await server.consent(url))
        assert tokens.expires_at == tokens.obtained_at + at_most_s


@pytest.mark.requirement("S2-10.3.3-pkce")
async def test_the_code_goes_with_the_verifier_the_redirect_and_the_resource(
    server: AuthServer, store: FileTokenStore
):
    sign_in = a_sign_in(store)
    url, flow = await sign_in.begin(ADA, server.config(), REDIRECT_URI)
    asked = {name: value[0] for name, value in parse_qs(urlsplit(url).query).items()}
    assert (asked["code_challenge_method"], asked["resource"]) == ("S256", server.url())
    assert flow.verifier not in url
    await sign_in.finish(ADA, await server.consent(url))
    (form,) = server.forms
    assert form["redirect_uri"] == REDIRECT_URI
    assert (form["code_verifier"], form["resource"]) == (flow.verifier, server.url())


@pytest.mark.parametrize(
    "redirect_uri",
    ["http://dataagent.example/cb", "javascript:alert(1)", "https://u:p@x/cb", "https://x/#f", ""],
)
async def test_a_way_back_that_others_could_read_is_refused(
    server: AuthServer, store: FileTokenStore, redirect_uri: str
):
    with pytest.raises(ConfigurationError, match="DATAAGENT_PUBLIC_URL"):
        await a_sign_in(store).begin(ADA, server.config(), redirect_uri)
    assert not server.counts


@pytest.mark.parametrize(
    "config",
    [
        MCPServerConfig(name="n", transport="http", url="http://mcp.example/mcp"),
        MCPServerConfig(name="n", transport="http", url="https://user:pw@mcp.example/mcp"),
        MCPServerConfig(name="n", transport="ws", url="wss://mcp.example/mcp"),
        MCPServerConfig(name="n", command="server"),
    ],
)
async def test_where_a_token_would_not_be_safe_nobody_signs_in(
    store: FileTokenStore, config: MCPServerConfig
):
    with pytest.raises(MCPServerError, match="needs an https address"):
        await a_sign_in(store).begin(ADA, config, REDIRECT_URI)


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("code=a&state=b&iss=c", CallbackAnswer(state="b", code="a", iss="c")),
        ("code=a&code=x&state=b", CallbackAnswer(state="b")),
        ("state=b&state=c&code=a", CallbackAnswer(state="", code="a")),
        (
            "error=no&error_description=a+b",
            CallbackAnswer(state="", error="no", error_description="a b"),
        ),
        ("&".join(f"p{n}=1" for n in range(60)) + "&state=b", CallbackAnswer(state="")),
        ("", CallbackAnswer(state="")),
    ],
)
def test_a_query_that_says_a_thing_twice_says_nothing(query: str, answer: CallbackAnswer):
    assert CallbackAnswer.from_query(query) == answer
