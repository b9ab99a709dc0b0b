"""`/` where the console was not built: how to build it, and who is signed in."""

from html import escape
from shlex import quote

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from dataagent_server.api.deps import OptionalPrincipal
from dataagent_server.api.pages.shell import page, page_headers
from dataagent_server.api.pages.texts import Language, language_of, say
from dataagent_server.api.public_address import public_address_of
from dataagent_server.identity.auth.principal import Principal

_SIGN_IN_COMMAND = "dataagent-server users sign-in-url"
_KEY_COMMAND = "dataagent-server keys create laptop"
router = APIRouter(include_in_schema=False)


@router.get("/", response_class=HTMLResponse)
async def home(request: Request, principal: OptionalPrincipal) -> HTMLResponse:
    """Say that it runs, who is signed in and how to go on."""
    language = language_of(request.headers.get("accept-language", ""))
    text = home_page(principal, public_address_of(request), language)
    return HTMLResponse(text, headers=page_headers() | {"vary": "Cookie, Accept-Language"})


def home_page(principal: Principal | None, address: str, language: Language) -> str:
    """Write the page for a principal, or for nobody."""
    chat = (
        f"curl -X POST {quote(address + '/api/v1/chat')} \\\n"
        '  -H "X-API-Key: $DATAAGENT_API_KEY" -H "Content-Type: application/json" \\\n'
        f'  -d \'{{"message": "{say("message", language)}"}}\''
    )
    how = escape(say("chat_how", language, command="\x00")).replace(
        "\x00", f"<code>{_KEY_COMMAND}</code>"
    )
    links = (
        ("api/docs", "docs"),
        ("api/v1/openapi.json", "openapi"),
        ("api/v1/health", "health"),
    )
    body = [
        f"<h1>{escape(say('title', language))}</h1>",
        f"<p class='soft'>{escape(say('lead', language))}</p>",
        "<pre tabindex='0'><code>make web</code></pre>",
        f"<h2>{escape(say('who', language))}</h2>",
        f"<div class='card'>{_render_principal(principal, language)}</div>",
        f"<h2>{escape(say('chat', language))}</h2>",
        f"<p>{how}</p><pre tabindex='0'><code>{escape(chat)}</code></pre>",
        f"<h2>{escape(say('more', language))}</h2><ul>",
        *(f"<li><a href='{href}'>{escape(say(key, language))}</a></li>" for href, key in links),
        "</ul>",
    ]
    return page(say("title", language), "\n".join(body), language)


def _render_principal(principal: Principal | None, language: Language) -> str:
    if principal is None:
        sentence = escape(say("signed_out", language))
        return f"<p>{sentence}</p><pre tabindex='0'><code>{_SIGN_IN_COMMAND}</code></pre>"
    if principal.via == "disabled":
        return f"<p>{escape(say('open', language, user=principal.user_id))}</p>"
    sentence = say(
        "signed_in", language, user=principal.user_id, role=principal.role,
        tenant=principal.tenant_id,
    )  # fmt: skip
    return f"<p>{escape(sentence)}</p>"
