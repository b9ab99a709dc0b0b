"""Every sentence of the server's commands: key, English, Chinese."""

from functools import cache
from typing import TYPE_CHECKING, Final

from dataagent_core.language import Language, chosen_language

if TYPE_CHECKING:
    from dataagent_core.language.chinese import Translation

TEXTS: Final[dict[str, tuple[str, str]]] = {
    "error": ("error: {text}", "错误:{text}"),
    "unexpected": (
        "{text} (unexpected; run with DATAAGENT_DEBUG=1 for the trace)",
        "{text}(意外错误;设置 DATAAGENT_DEBUG=1 可查看详细信息)",
    ),
    "usage_help": ("Try '{command} --help' for help.", "用 '{command} --help' 查看帮助。"),
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
    "no_tenant": (
        "There is no tenant {tenant!r}. `dataagent-server tenants list` shows them all.",
        "没有租户 {tenant!r}。`dataagent-server tenants list` 可列出全部。",
    ),
    "no_user": (
        (
            "There is no user {user!r} in the tenant {tenant!r}. "
            "`dataagent-server users list --tenant {tenant}` shows them."
        ),
        (
            "租户 {tenant!r} 中没有用户 {user!r}。"
            "`dataagent-server users list --tenant {tenant}` 可列出他们。"
        ),
    ),
    "expect_needs_tenant": (
        "--expect needs --tenant: each tenant has its own chain.",
        "--expect 需要 --tenant:每个租户有各自的链。",
    ),
    "nothing": ("(none)", "(无)"),
    "tenant_suspended": ("{tenant} is suspended.", "{tenant} 已停用。"),
    "tenant_active": ("{tenant} is active again.", "{tenant} 已重新启用。"),
    "role_given": ("{user} is {role} now.", "{user} 现在的角色是 {role}。"),
    "user_removed": ("{user} is removed.", "{user} 已移除。"),
    "user_taken_in": ("{user} is {role} of {tenant} as well.", "{user} 也是 {tenant} 的 {role}。"),
    "password_new": ("New password: ", "新密码:"),
    "password_again": ("The same again: ", "再次输入:"),
    "passwords_differ": ("These two differ; try again.", "两次输入不一致;请重试。"),
    "password_set": ("The password of {user} is set.", "{user} 的密码已设置。"),
    "works_once": (
        "It works once, within {minutes} minutes.",
        "仅可使用一次,{minutes} 分钟内有效。",
    ),
    "copy_key": ("Copy it now: it is not shown again.", "请立即复制:之后不再显示。"),
    "key_revoked": ("{key} is revoked.", "{key} 已吊销。"),
    "chain_broken": (
        "{tenant}: BROKEN at row {row}: {reason}",
        "{tenant}:第 {row} 行处已损坏:{reason}",
    ),
    "chain_whole": ("{tenant}: ok, {rows} rows", "{tenant}:完好,共 {rows} 行"),
}


class Messages:
    """Sentences in one language."""

    def __init__(self, language: Language) -> None:
        self.language: Language = language

    def __call__(self, key: str, /, **values: object) -> str:
        return TEXTS[key][self.language == "zh"].format(**values)

    def translate(self, text: str) -> str:
        """Translate an English sentence of core or the server; other text stays as it is."""
        if self.language == "en":
            return text
        return _load_translation()(text)


@cache
def _load_translation() -> "Translation":
    # Large, and not needed for English.
    from dataagent_core.language.chinese import Translation, in_chinese
    from dataagent_server.cli.serve.error_texts import ERROR_TEXTS, PHRASES

    return Translation({**in_chinese.sentences, **ERROR_TEXTS}, {**in_chinese.phrases, **PHRASES})


def chosen_messages() -> Messages:
    """Return the sentences in the language of this process; settings may have failed to load."""
    return Messages(chosen_language())


def say(key: str, /, **values: object) -> str:
    """Return a sentence in the language of this process."""
    return chosen_messages()(key, **values)
