"""Sentences about memories."""

MEMORY_TEXTS: dict[str, tuple[str, str]] = {
    "memory_recalled": (
        "{count} {count:plural memory memories} recalled (/memory wrong N, /memory forget N)",
        "回忆起 {count} 条记忆(/memory wrong N、/memory forget N)",
    ),
    "memory_source.manual": ("added by hand", "手动添加"),
    "memory_source.tainted": ("{by} says so", "来自 {by}"),
    "memory_source.said": ("said by {by}", "由 {by} 所说"),
    "memory_source.person": ("you said so", "您说过"),
    "memory_change.added": ("remembered: {content}", "已记住:{content}"),
    "memory_change.merged": ("known already: {content}", "已有此记忆:{content}"),
    "memory_change.replaced": (
        "remembered, in place of what was true before: {content}",
        "已记住,取代以前的内容:{content}",
    ),
    "memory_change.refused": ("not remembered: {reason}", "未记住:{reason}"),
    "memory_change.retired": ("wrong, and not used any more: {content}", "有误,不再使用:{content}"),
    "memory_change.forgotten": ("forgotten", "已忘记"),
}
