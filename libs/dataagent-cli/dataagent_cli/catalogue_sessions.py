"""Sentences of `dataagent sessions fork|search|rename|export|import`."""

SESSION_TEXTS: dict[str, tuple[str, str]] = {
    "forked": (
        (
            "a new session begins with the first {runs} {runs:plural question questions} and "
            "{runs:plural its their} answers.\n"
            'Go on with: {dataagent} run --session {new} "..."'
        ),
        ('新会话包含前 {runs} 个问题及其回答。\n继续对话:{dataagent} run --session {new} "..."'),
    ),
    "fork_left_unfinished": (
        "the run that is not finished stays in the session it began in.",
        "未完成的任务留在原会话中。",
    ),
    "no_such_question": (
        ("the session has {count} {count:plural question questions}; there is no number {number}."),
        "该会话有 {count} 个问题;没有第 {number} 个。",
    ),
    "no_session_found": ("no session holds all of that.", "没有会话包含全部这些词。"),
    "search_more": (
        'more: {dataagent} sessions search {query} --after "{after}"',
        '更多:{dataagent} sessions search {query} --after "{after}"',
    ),
    "search_col.title": ("title", "标题"),
    "search_col.found": ("found", "匹配内容"),
    "renamed": ("the session is now called {title!r}", "会话已命名为 {title!r}"),
    "one_export": (
        "--bundle has a format of its own; leave --format and --output out.",
        "--bundle 有自己的格式;请去掉 --format 和 --output。",
    ),
    "workspace_needs_bundle": (
        "--workspace belongs to --bundle: only a bundle holds files.",
        "--workspace 须与 --bundle 一起使用:只有打包文件才包含工作目录文件。",
    ),
    "no_workspace_known": (
        "the session had no workspace on this machine that is still there.",
        "该会话在本机没有仍然存在的工作目录。",
    ),
    "session_exported": ("wrote {path}", "已写入 {path}"),
    "bundled": (
        (
            "wrote {path} with {files} {files:plural file files} of the workspace. "
            "Take it up elsewhere with:\n"
            "  {dataagent} sessions import FILE --workspace DIRECTORY"
        ),
        (
            "已写入 {path},包含工作目录的 {files} 个文件。在另一台机器上继续:\n"
            "  {dataagent} sessions import FILE --workspace DIRECTORY"
        ),
    ),
    "left_out": (
        "left out ({count}): {names}",
        "未包含({count} 个):{names}",
    ),
    "imported": (
        ('the session {title!r} is here. Go on with:\n  {dataagent} run --session {session} "..."'),
        '会话 {title!r} 已导入。继续对话:\n  {dataagent} run --session {session} "..."',
    ),
    "imported_files": (
        "{files} {files:plural file files} in {path}; run it there.",
        "{files} 个文件已放入 {path};请在该目录中运行。",
    ),
    "files_not_taken": (
        (
            "the bundle holds {files} {files:plural file files}; name a new directory with "
            "--workspace to get them."
        ),
        "文件包中有 {files} 个文件;用 --workspace 指定一个新目录即可取出。",
    ),
}
