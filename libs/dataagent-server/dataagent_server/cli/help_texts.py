"""What `--help` of `dataagent-server` says: each English text of the commands, in Chinese."""

from typing import Final

HELP_TEXTS: Final[dict[str, str]] = {
    # click's own words
    "Usage: ": "用法:",
    "Options": "选项",
    "Commands": "命令",
    "[default: ": "[默认:",
    "Show this message and exit.": "显示此帮助并退出。",
    "Show the version and exit.": "显示版本并退出。",
    # The program
    "Run a DataAgent server and look after it.": "运行并管理 DataAgent 服务器。",
    "Start the server: REST, WebSocket and server-sent events.": (
        "启动服务器:REST、WebSocket 和服务器推送事件。"
    ),
    "Address to listen at; 127.0.0.1 by default.": "监听地址;默认为 127.0.0.1。",
    "Port to listen at; 8000 by default, 0 takes a free one.": (
        "监听端口;默认为 8000,0 表示任选空闲端口。"
    ),
    "Processes that serve the address; 1 by default.": "提供服务的进程数;默认为 1。",
    "Bring the sample warehouse along, as source `shop`.": "附带示例数据仓库,数据源名为 `shop`。",
    "Bring the database's schema up to date; safe to repeat, and while others do the same.": (
        "将数据库结构更新到最新;可重复执行,也可同时执行。"
    ),
    # Used by several
    "Which tenant.": "租户。",
    "One JSON object a line.": "每行一个 JSON 对象。",
    "Role in the tenant.": "在租户中的角色。",
    # Tenants
    "Create, list, suspend and resume tenants.": "创建、列出、停用和恢复租户。",
    "Create a tenant called NAME and print its id; add people with `users add --tenant`.": (
        "创建名为 NAME 的租户并输出其 id;用 `users add --tenant` 添加成员。"
    ),
    "An id of your own choice.": "自定义的 id。",
    "How many people it may have.": "人数上限。",
    "List every tenant.": "列出所有租户。",
    "Let nobody of a tenant in any more; nothing is deleted.": (
        "不再允许某租户的任何人进入;不删除任何内容。"
    ),
    "Let a suspended tenant's people in again.": "重新允许已停用租户的人员进入。",
    # Users
    "Add, list and remove people; make sign-in URLs.": "添加、列出和移除人员;生成登录链接。",
    "Add a person called USERNAME to a tenant and print their id.": (
        "向租户添加名为 USERNAME 的人员并输出其 id。"
    ),
    "The name others see.": "他人看到的名称。",
    "Read a password from standard input.": "从标准输入读取密码。",
    "List the people of a tenant.": "列出租户的人员。",
    "Give USER (name or id) another ROLE.": "将 USER(名称或 id)的角色改为 ROLE。",
    "Take USER (name or id) out of a tenant; keys and log-ins stop.": (
        "将 USER(名称或 id)移出租户;其密钥和登录随之失效。"
    ),
    "Take a person of another tenant, by id, into this tenant as well.": (
        "按 id 将另一租户的人员也加入此租户。"
    ),
    "Set the password of USER (name or id), and sign them out everywhere.": (
        "设置 USER(名称或 id)的密码,并使其在各处退出登录。"
    ),
    "Read it from standard input, not a prompt.": "从标准输入读取,不提示输入。",
    "Print a URL that signs USER (name or id) in, once.": (
        "输出供 USER(名称或 id)登录的链接,仅可使用一次。"
    ),
    "Where the server is; by default its public_url or host and port.": (
        "服务器地址;默认取自 public_url 或 host 和 port。"
    ),
    # Keys
    "Create, list and revoke API keys.": "创建、列出和吊销 API 密钥。",
    "Create a key called NAME and print it, once.": "创建名为 NAME 的密钥并输出,仅显示这一次。",
    "Whose key: user name or id.": "密钥所有者:用户名或 id。",
    "May be repeated.": "可重复使用。",
    "Days until it expires.": "有效天数。",
    "List somebody's keys, without their secrets.": "列出某人的密钥,不含密钥内容。",
    "Whose keys: user name or id.": "密钥所有者:用户名或 id。",
    "Revoke a key; running servers refuse it within seconds.": (
        "吊销密钥;运行中的服务器数秒内即拒绝它。"
    ),
    # The audit log
    "Check, export and anchor the audit log.": "检查、导出和锚定审计日志。",
    "Check every chain; ends with 0 when all are whole and 1 when one is broken.": (
        "检查每条链;全部完好时返回 0,有损坏时返回 1。"
    ),
    "Only this tenant; by default all.": "仅此租户;默认为全部。",
    "With --tenant: SEQ:MAC that `audit head` printed before.": (
        "与 --tenant 一起使用:`audit head` 先前输出的 SEQ:MAC。"
    ),
    "Print the rows as JSON, one a line.": "以 JSON 输出各行,每行一条。",
    "Only rows behind this number.": "仅此编号之后的行。",
    "Print where each chain ends, as TENANT SEQ:MAC.": ("输出每条链的末端,格式为 TENANT SEQ:MAC。"),
}
