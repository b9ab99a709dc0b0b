"""Every sentence of the pages: key, English, Chinese."""

from typing import Final, Literal

Language = Literal["en", "zh"]

TEXTS: Final[dict[str, tuple[str, str]]] = {
    "title": ("DataAgent is running", "DataAgent 正在运行"),
    "lead": (
        "The web console is not built here. Build it (Node 20), then start the server again:",
        "此处尚未构建网页控制台。请构建(需要 Node 20),然后重新启动服务器:",
    ),
    "who": ("Who you are", "当前身份"),
    "signed_in": (
        "You are signed in as {user}, {role} in the tenant {tenant}.",
        "你已登录:{user},租户 {tenant} 的 {role}。",
    ),
    "open": (
        "Authentication is off, so everyone on this machine works as {user}.",
        "未启用身份验证,本机的所有人都以 {user} 的身份操作。",
    ),
    "signed_out": (
        (
            "You are not signed in. Open the sign-in address that the server printed when it "
            "started, or make a new one:"
        ),
        "你尚未登录。请打开服务器启动时显示的登录地址,或生成一个新的:",
    ),
    "chat": ("Say something with curl", "用 curl 对话"),
    "chat_how": (
        "With an API key, shown once at the first start; make another with {command}.",
        "使用 API 密钥(首次启动时显示一次);可用 {command} 再生成一个。",
    ),
    "message": ("hello", "你好"),
    "more": ("Read on", "更多"),
    "docs": ("Every operation of the API", "API 的全部操作"),
    "openapi": ("The same for programs", "供程序使用的描述"),
    "health": ("Is it well?", "运行状况"),
    "mcp_signed_in": ("Signed in", "登录成功"),
    "mcp_close": (
        "DataAgent can now use {server} for you. You can close this page.",
        "DataAgent 现在可以为你使用 {server}。可以关闭此页面。",
    ),
    "mcp_failed": ("Not signed in", "登录失败"),
    "mcp_again": (
        "Return to where you started, and try again.",
        "请返回开始登录的地方重试。",
    ),
}


def say(key: str, language: Language, /, **values: str) -> str:
    """Say a sentence in a language."""
    return TEXTS[key][language == "zh"].format(**values)


def language_of(accepted: str) -> Language:
    """Choose by the first language a browser names in `Accept-Language`."""
    return "zh" if accepted.strip().lower().startswith("zh") else "en"
