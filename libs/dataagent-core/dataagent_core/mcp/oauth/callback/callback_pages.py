"""The page a browser shows at the end of a sign-in. No scripts; every word of others escaped."""

from html import escape

HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>DataAgent</title>
<style>body{{font:1.1rem/1.6 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1rem;
color:#1c2024;background:#fff}}h1{{font-size:1.4rem}}
@media(prefers-color-scheme:dark){{body{{color:#edeef0;background:#111}}}}</style></head>
<body><main><h1>{title}</h1>
<p>{english}</p><p lang="zh">{chinese}</p></main></body></html>
"""


def success_page(server: str) -> str:
    """Say that it worked."""
    name = escape(server)
    return _PAGE.format(
        title="Signed in · 登录成功",
        english=f"DataAgent can now use “{name}”. You can close this page.",
        chinese=f"DataAgent 现在可以使用“{name}”。您可以关闭此页面。",
    )


def failure_page(reason: str) -> str:
    """Say that it did not, and why."""
    said = escape(reason)
    return _PAGE.format(
        title="Not signed in · 登录失败",
        english=f"{said}<br>Return to where you started, and try again.",
        chinese="登录未完成。请返回开始登录的地方重试。",
    )
