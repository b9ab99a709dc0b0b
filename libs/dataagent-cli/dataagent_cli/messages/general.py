"""Sentences about errors of any command: English, Chinese."""

GENERAL_TEXTS: dict[str, tuple[str, str]] = {
    "error": ("error: {text}", "错误:{text:translated}"),
    "usage_help": (
        "Try '{command} --help' for help.",
        "用 '{command} --help' 查看帮助。",
    ),
    "unexpected": (
        "{text} (unexpected; run with DATAAGENT_DEBUG=1 for the trace)",
        "{text}(意外错误;设置 DATAAGENT_DEBUG=1 可查看详细信息)",
    ),
    "file_problem": ("{path}: {problem}", "{path}:{problem}"),
    "no_folder": (
        "there is no folder {path}. Make it first, or name another place.",
        "文件夹 {path} 不存在。请先创建,或指定其他位置。",
    ),
    "is_folder": (
        "{path} is a folder. Name a file in it.",
        "{path} 是文件夹。请指定其中的文件名。",
    ),
    "prompt_or_resume": (
        "--resume finishes an earlier run and takes no prompt. Give one of the two.",
        "--resume 用于完成之前的任务,不能同时给出新的提示。请二选一。",
    ),
    "prompt_missing": (
        "say what to do: {dataagent} run PROMPT, or `-` to read it from standard input.",
        "请说明要做什么:{dataagent} run PROMPT,或用 `-` 从标准输入读取。",
    ),
    "resume_and_session": (
        "--resume already names the session; leave --session out.",
        "--resume 已指定会话;请去掉 --session。",
    ),
    "not_utf8_stdin": (
        (
            "standard input is not UTF-8: byte {position} is 0x{byte:02x}. Convert it first, "
            "for example with iconv."
        ),
        "标准输入不是 UTF-8:第 {position} 个字节为 0x{byte:02x}。请先转换,例如使用 iconv。",
    ),
    "not_utf8_argument": (
        "the prompt is not UTF-8. Check the terminal's encoding, or give it on standard input.",
        "提示不是 UTF-8 编码。请检查终端编码,或通过标准输入提供。",
    ),
    "no_workspace": (
        (
            "the workspace {path!r} is not a directory. Make it first, or name another one with "
            "--workspace."
        ),
        "工作目录 {path!r} 不存在或不是目录。请先创建,或用 --workspace 指定其他目录。",
    ),
    "bad_timeout": ("--timeout must be a number of seconds.", "--timeout 必须是秒数。"),
    "no_session": (
        "there is no session {session!r}. `{dataagent} sessions list` shows them.",
        "没有会话 {session!r}。可用 `{dataagent} sessions list` 查看。",
    ),
}
