"""The sentences that this package raises or notes itself: English, Chinese.

They are raised without a catalogue, and translated where they are shown, as core's are
(`dataagent_core/chinese`).
"""

ERROR_TEXTS: dict[str, str] = {
    # Messages and pictures
    "{path} has {size} bytes, and {limit} can be sent. Make it smaller first.": (
        "{path} 有 {size} 字节,最多可发送 {limit} 字节。请先缩小它。"
    ),
    "{count} messages wait already. Let the agent answer some first.": (
        "已有 {count} 条消息在等待。请先让智能体回答一些。"
    ),
    "{count} messages wait already. Let the agent answer first.": (
        "已有 {count} 条消息在等待。请先让智能体回答。"
    ),
    "the agent is at work. Stop it first, or let it finish.": (
        "智能体正在工作。请先停止它,或等它完成。"
    ),
    "the person left; the question waits for them.": "对方已离开;问题在等待其回答。",
    "the question is answered already.": "该问题已被回答。",
    "{path} is there already. Name another file.": "{path} 已存在。请指定另一个文件。",
    "the prompt {name!r} takes {usage}; {word} is one too many.": (
        "提示 {name} 的参数是 {usage:said};{word} 是多余的。"
    ),
    "this agent has no shell.": "该智能体没有命令行。",
    # Servers
    "{path} is not a list of servers any more. Restore it from a copy, or remove it and sign in "
    "again.": "{path} 的内容已不是服务器列表。请从副本恢复,或移除它并重新登录。",
    "You are signed in to {count} servers. Sign out of one first: dataagent logout {url}": (
        "您已登录 {count} 个服务器。请先从其中一个退出:dataagent logout {url}"
    ),
    "{path} is not a list of answers any more. Remove it: the servers of projects are asked about "
    "again.": "{path} 的内容已不是回答列表。请移除它:会再次询问各项目的服务器。",
    "no answer within {seconds} s": "{seconds} 秒内没有应答",
    "it answers with status {status}": "应答状态为 {status}",
    "its answer is too long to be a list of models": "应答过长,不会是模型列表",
    "its answer is not JSON": "应答不是 JSON",
    "its list of models is empty, or none": "其模型列表为空,或不是列表",
    # Commands of one's own
    "{path} cannot be a command: name it with small letters, digits, '-' and '_' only.": (
        "{path} 不能作为命令:名称只能用小写字母、数字、'-' 和 '_'。"
    ),
    "{path} has no prompt: write what /{name} should ask for.": (
        "{path} 没有提示内容:请写明 /{name} 要问什么。"
    ),
    "{path} is not a file of its folder, so it is no command.": (
        "{path} 不是其文件夹中的文件,因此不是命令。"
    ),
    "{path} is larger than {limit} bytes; shorten it.": "{path} 超过 {limit} 字节;请缩短。",
    "{path} is not UTF-8. Save it as UTF-8.": "{path} 不是 UTF-8。请存为 UTF-8。",
    "the front matter of {path} is not a list of names and values.": (
        "{path} 的文件头不是名称和值的列表。"
    ),
}
PHRASES: dict[str, str] = {"no arguments": "(无)"}
