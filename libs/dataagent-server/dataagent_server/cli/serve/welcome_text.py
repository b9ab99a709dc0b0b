"""What the terminal shows when the server starts: its address, how to sign in, and the model.

The sign-in URL and the first key are secrets, so they go to the terminal and never to the log.
"""

from dataclasses import dataclass

from dataagent_core.models import DEMO_PROMPT
from dataagent_server.cli.serve.texts import Messages
from dataagent_server.identity.auth.limits import SIGN_IN_URL_S


@dataclass(frozen=True, slots=True)
class Welcome:
    """How the operator signs in; a key only at the very first start."""

    sign_in_url: str | None
    first_key: str | None
    model: str
    auth_disabled: bool
    # Whether the sample warehouse is available.
    sample: bool = False


def greeting(welcome: Welcome, url: str, program: str, say: Messages) -> str:
    """Write the lines."""
    lines = [say("running", url=url), ""]
    if welcome.auth_disabled:
        lines.append(say("open"))
    if welcome.sign_in_url is not None:
        minutes = int(SIGN_IN_URL_S // 60)
        lines.append(say("sign_in", url=welcome.sign_in_url, minutes=minutes))
    if welcome.first_key is not None:
        lines.append(say("first_key", key=welcome.first_key))
    elif not welcome.auth_disabled:
        lines.append(say("another_key", program=program))
    lines.append(say("model", model=welcome.model))
    if welcome.sample:
        lines.append(say("sample", prompt=DEMO_PROMPT))
    lines += [say("docs", url=url), "", say("stop")]
    return "\n".join(lines) + "\n"
