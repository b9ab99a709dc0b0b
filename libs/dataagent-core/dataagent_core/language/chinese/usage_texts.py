"""What is wrong with a command line, as click says it: English, Chinese.

`dataagent` and `dataagent-server` both read their command line with click, which writes these
messages itself.
"""

from dataagent_core.language.chinese.translation import Translation

USAGE_TEXTS: dict[str, str] = {
    "No such option {name!r}.": "没有选项 {name}。",
    "No such command {name!r}.": "没有命令 {name}。",
    "Did you mean {possibility}?": "您是否想写 {possibility}?",
    "(Did you mean one of: {possibilities}?)": "(您是否想写以下之一:{possibilities}?)",
    "Missing command.": "缺少命令。",
    "Missing argument{hint}": "缺少参数{hint:said}",
    "Missing option{hint}": "缺少选项{hint:said}",
    "Missing parameter{hint}": "缺少参数{hint:said}",
    "Invalid value: {message}": "值无效:{message:said}",
    "Invalid value for {parameter}: {message}": "{parameter} 的值无效:{message:said}",
    "Option {name!r} requires an argument.": "选项 {name} 需要一个值。",
    "Option {name!r} requires {count} arguments.": "选项 {name} 需要 {count} 个值。",
    "Option {name!r} does not take a value.": "选项 {name} 不接受值。",
    "Got unexpected extra argument ({arguments})": "多余的参数({arguments})",
    "Got unexpected extra arguments ({arguments})": "多余的参数({arguments})",
    # A value
    "{value!r} is not {choice!r}.": "{value} 不是 {choice}。",
    "{value!r} is not one of {choices}.": "{value} 不是以下之一:{choices}。",
    "{value!r} is not a valid {type}.": "{value} 不是有效的{type:said}。",
    "{value!r} is not a valid boolean. Recognized values: {values}": (
        "{value} 不是有效的布尔值。可用的值:{values}"
    ),
    "{value} is not in the range {range}.": "{value} 不在范围 {range} 之内。",
    "{kind} {path!r} does not exist.": "{kind:said} {path} 不存在。",
    "{kind} {path!r} is a file.": "{kind:said} {path} 是文件。",
    "{kind} {path!r} is a directory.": "{kind:said} {path} 是目录。",
    "{kind} {path!r} is not readable.": "{kind:said} {path} 不可读。",
    "{kind} {path!r} is not writable.": "{kind:said} {path} 不可写。",
    # Our own
    "--continue goes on with a conversation; name it with --session.": (
        "--continue 用于继续对话;请用 --session 指定会话。"
    ),
    (
        "--{option} starts a conversation. Leave it out, or put it after {command!r} if that "
        "command has it."
    ): "--{option} 用于开始对话。请去掉它;如果命令 {command} 有此选项,请放在其后。",
    "{shell!r} is none of {shells}.": "{shell} 不是以下之一:{shells}。",
}
USAGE_PHRASES: dict[str, str] = {
    "{name}.": "{name}。",
    "{name}. Choose from:\n\t{choices}": "{name}。可选:\n\t{choices}",
    "integer": "整数",
    "float": "数字",
    "File": "文件",
    "Directory": "目录",
    "Path": "路径",
}

usage_in_chinese = Translation(USAGE_TEXTS, USAGE_PHRASES)
