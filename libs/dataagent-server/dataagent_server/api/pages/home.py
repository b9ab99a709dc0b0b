"""The page at `/` while there is no console: how to get it, who is signed in. Pure."""

from html import escape
from shlex import quote

from dataagent_server.api.pages.shell import page
from dataagent_server.api.pages.texts import Language, say
from dataagent_server.identity.auth.principal import Principal

_SIGN_IN_COMMAND = "dataagent-server users sign-in-url"
_KEY_COMMAND = "dataagent-server keys create laptop"


def home_page(principal: Principal | None, address: str, language: Language) -> str:
    """Write the page for whoever asks."""
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
        f"<div class='card'>{_who(principal, language)}</div>",
        f"<h2>{escape(say('chat', language))}</h2>",
        f"<p>{how}</p><pre tabindex='0'><code>{escape(chat)}</code></pre>",
        f"<h2>{escape(say('more', language))}</h2><ul>",
        *(f"<li><a href='{href}'>{escape(say(key, language))}</a></li>" for href, key in links),
        "</ul>",
    ]
    return page(say("title", language), "\n".join(body), language)


def _who(principal: Principal | None, language: Language) -> str:
    if principal is None:
        sentence = escape(say("signed_out", language))
        return f"<p>{sentence}</p><pre tabindex='0'><code>{_SIGN_IN_COMMAND}</code></pre>"
    if principal.via == "disabled":
        return f"<p>{escape(say('open', language, user=principal.user_id))}</p>"
    told = say(
        "signed_in", language, user=principal.user_id, role=principal.role,
        tenant=principal.tenant_id,
    )  # fmt: skip
    return f"<p>{escape(told)}</p>"
