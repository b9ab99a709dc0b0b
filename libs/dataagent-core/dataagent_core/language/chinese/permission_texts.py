"""What is said of permission rules and of answers to approvals: English, Chinese."""

PERMISSION_TEXTS: dict[str, str] = {
    "A rule denies reading files anywhere below /{folder}, which holds more than {count} entries: "
    "they cannot all be covered. Name a folder in it.": (
        "有规则禁止读取 /{folder} 下的任何文件,而其中超过 {count} 个条目,无法全部遮盖。"
        "请指明其中的某个文件夹。"
    ),
    "Rules deny reading more than {count} files of the workspace: they cannot all be covered. Deny "
    "the folders they lie in.": (
        "规则禁止读取的工作区文件超过 {count} 个,无法全部遮盖。请改为禁止它们所在的文件夹。"
    ),
    "{tool} was not run: it or its arguments were others each time a person had answered.": (
        "{tool} 未运行:每次有人答复时,它或其参数都已不同。"
    ),
    "{tool} is denied: {why}.": "{tool} 被拒绝:{why:said}。",
    "{host} is no host. Write its name alone, as in pypi.org, or with a port, as in "
    "127.0.0.1:8080.": (
        "{host} 不是主机。请只写主机名,例如 pypi.org,或带端口,例如 127.0.0.1:8080。"
    ),
    "{file}: 'rules' must be [[rules]] tables, not {kind}.": (
        "{file}: 'rules' 必须是 [[rules]] 表,而不是 {kind}。"
    ),
    "{file} holds {count} rules; at most {most} are looked at. Join some with wildcards.": (
        "{file} 有 {count} 条规则;最多读取 {most} 条。请用通配符合并一些。"
    ),
    "{rule} is {value}; it must be a table.": "{rule} 是 {value};必须是表。",
    "{rule}: action is {value}; use allow, ask or deny.": (
        "{rule}: action 是 {value};请用 allow、ask 或 deny。"
    ),
    "{rule}: {key} is {value}; it must be a pattern such as {example}.": (
        "{rule}: {key} 是 {value};必须是模式,例如 {example:said}。"
    ),
    "{rule}: {key} is longer than {limit} characters.": "{rule}: {key} 超过 {limit} 个字符。",
    "{rule}: {key} is {value}: a backslash must stand before a character, and control characters "
    "have no place in a pattern.": (
        "{rule}: {key} 是 {value}:反斜杠后必须有字符,且模式中不能有控制字符。"
    ),
    "{file} sets {key}, which means nothing here: rules are [[rules]] tables with action, tool and "
    "resource.": (
        "{file} 设置了 {key},但它在此处没有意义:规则是含 action、tool 和 resource 的 [[rules]] 表。"
    ),
    "{rule} sets {key}; a rule has only {keys}.": "{rule} 设置了 {key};规则只有 {keys}。",
    "nothing can be saved here; say always without 'save'.": (
        "此处无法保存;请选择始终允许,但不带 'save'。"
    ),
    "no rule can cover this call, so there is nothing to save.": (
        "没有规则能涵盖此调用,因此无可保存。"
    ),
    "{folder} is not trusted, so a rule saved there would allow nothing. Trust it first "
    "(`dataagent permissions trust`), or say always without saving.": (
        "{folder} 未受信任,保存在那里的规则不会生效。请先信任它(`dataagent permissions trust`),"
        "或选择始终允许但不保存。"
    ),
    "the rule cannot be saved: {why}": "无法保存规则:{why:said}",
    "{file} does not write its rules as plain [[rules]] tables; take rule {number} out by hand.": (
        "{file} 未以普通的 [[rules]] 表书写规则;请手动删除第 {number} 条规则。"
    ),
    "{file} has no rule {number}; it holds {count}. `dataagent permissions list` shows them.": (
        "{file} 没有第 {number} 条规则;共有 {count} 条。`dataagent permissions list` 可列出它们。"
    ),
    "{decision} does not answer this {kind}; use {fitting}.": (
        "{decision} 不能答复此 {kind};请用 {fitting}。"
    ),
    "'save' goes with an 'approve' whose scope is 'always': once is not worth keeping.": (
        "'save' 只能与范围为 'always' 的 'approve' 一起使用:仅一次的允许不必保存。"
    ),
    "a 'respond' needs a 'message': what the agent should know.": (
        "'respond' 需要 'message':要告诉代理的内容。"
    ),
    "an 'edit' needs 'args': the arguments to use instead.": "'edit' 需要 'args':改用的参数。",
    "not a decision: {why}": "不是有效的决定:{why}",
    "the arguments of an 'edit' must be plain JSON: {why}.": "'edit' 的参数必须是普通 JSON:{why}。",
}
