"""What the pages share: the frame of a document, its style, and a content security policy.

No script, font or image from anywhere: the policy names the style by its hash.
"""

import base64
import hashlib
from html import escape
from typing import Final

STYLE: Final = """
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5a6675; --line: #d8dee6;
  --back: #f7f8fa; --card: #fff; --link: #0b5cad; --code: #eef1f5; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #a3afbd; --line: #333c48;
  --back: #12161c; --card: #1a2029; --link: #7ab8ff; --code: #232b36; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink);
  font: 16px/1.6 system-ui, -apple-system, "Segoe UI", "PingFang SC", "Noto Sans", sans-serif; }
main { max-width: 52rem; margin: 0 auto; padding: 3rem 1.25rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .75rem; }
h3 { font-size: 1rem; margin: 0; font-weight: 600; }
p { margin: .5rem 0; }
a { color: var(--link); text-underline-offset: .15em; }
a:focus-visible, summary:focus-visible, pre:focus-visible {
  outline: 3px solid var(--link); outline-offset: 3px; border-radius: 4px; }
.soft { color: var(--soft); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px;
  padding: 1rem 1.25rem; margin: .75rem 0; }
pre, code { font: .875rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { background: var(--code); border-radius: 4px; padding: .1rem .3rem; overflow-wrap: anywhere; }
pre { background: var(--code); border-radius: 8px; padding: .9rem 1rem; overflow-x: auto;
  margin: .75rem 0; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
summary { cursor: pointer; }
summary code { font-weight: 600; }
table { border-collapse: collapse; width: 100%; margin: .75rem 0; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem .4rem 0;
  border-bottom: 1px solid var(--line); }
th { font-weight: 600; }
.verb { display: inline-block; min-width: 4.5rem; }
"""


def page(title: str, body: str, language: str = "en") -> str:
    """Build a page; values in `body`, which is HTML, are already escaped."""
    return (
        f'<!doctype html>\n<html lang="{escape(language)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def page_headers() -> dict[str, str]:
    """Allow the page its own style and nothing else."""
    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    )
    return {"content-security-policy": policy}
