"""Every sentence of the server's commands: key, English, Chinese."""

from collections.abc import Mapping
from typing import Final, Literal

Language = Literal["en", "zh"]

TEXTS: Final[dict[str, tuple[str, str]]] = {
    "error": ("error: {text}", "错误:{text}"),
    "unexpected": (
        "{text} (unexpected; run with DATAAGENT_DEBUG=1 for the trace)",
        "{text}(意外错误;设置 DATAAGENT_DEBUG=1 可查看详细信息)",
    ),
    "running": ("DataAgent is running at {url}", "DataAgent 正在运行:{url}"),
    "sign_in": (
        "Sign in (once, within {minutes} minutes): {url}",
        "登录(仅可使用一次,{minutes} 分钟内有效):{url}",
    ),
    "first_key": (
        "Your API key, shown only now: {key}",
        "你的 API 密钥(仅显示这一次):{key}",
    ),
    "another_key": (
        "Make another API key with: {program} keys create laptop",
        "生成另一个 API 密钥:{program} keys create laptop",
    ),
    "open": (
        "Authentication is off: everyone on this machine is let in as admin.",
        "未启用身份验证:本机的所有人都以管理员身份进入。",
    ),
    "model": ("Model: {model}", "模型:{model}"),
    "sample": (
        'The sample warehouse is the source "shop". The demo model answers this:\n  {prompt}',
        '示例数据仓库是数据源 "shop"。演示模型可以回答:\n  {prompt}',
    ),
    "docs": ("API: {url}/api/docs", "API:{url}/api/docs"),
    "stop": ("Stop with Ctrl-C", "按 Ctrl-C 停止"),
    "stopped": ("stopped", "已停止"),
    "migrated": ("{database} is up to date", "{database} 已是最新"),
}


class Messages:
    """Says sentences in one language."""

    def __init__(self, language: Language) -> None:
        self.language: Language = language

    def __call__(self, key: str, /, **values: object) -> str:
        return TEXTS[key][self.language == "zh"].format(**values)


def language_of(wanted: str, environment: Mapping[str, str]) -> Language:
    """Choose the language: the one asked for, or with `auto` that of the locale."""
    if wanted == "auto":
        names = ("LC_ALL", "LC_MESSAGES", "LANG")
        wanted = next((environment[name] for name in names if environment.get(name)), "en")
    return "zh" if wanted.lower().startswith("zh") else "en"
