"""Sentences of `dataagent sessions fork|search|rename|export|import`."""

SESSION_TEXTS: dict[str, tuple[str, str]] = {
    "no_sessions": (
        'no sessions yet. Start one with: {dataagent} run "..."',
        '还没有会话。开始一个:{dataagent} run "..."',
    ),
    "no_plan": (
        "this session has no work plan. The agent makes one for a message of several steps.",
        "此会话没有工作计划。对于包含多个步骤的消息,智能体会制定计划。",
    ),
    "plan_bad_words": (
        "a plan is shown or changed with: {words}. A step that has begun stays as it is.",
        "查看或修改计划的方式:{words}。已开始的步骤不会改变。",
    ),
    "plan_bad_number": (
        "{number!r} is no number of a step. The plan shows them: 1, 2, 3 ...",
        "{number!r} 不是步骤编号。计划中列有编号:1、2、3 ...",
    ),
    "no_outputs": (
        "nothing in this session was too long to show.",
        "此会话中没有因过长而未显示的输出。",
    ),
    "no_output": (
        "call {call!r} has no output beyond what was shown; `sessions output {session}` lists all.",
        "调用 {call!r} 没有更多输出;可用 `sessions output {session}` 查看。",
    ),
    "output_gone": (
        "the output of call {call!r} was removed: such outputs are kept for {days} days.",
        "调用 {call!r} 的输出已被删除:此类输出保留 {days} 天。",
    ),
    "more_output": ("there is more: --offset {offset}", "还有更多:--offset {offset}"),
    "removed": ("removed", "已删除"),
    "state.new": ("new", "新建"),
    "state.done": ("done", "完成"),
    "state.waiting": ("waiting", "等待批准"),
    "state.interrupted": ("interrupted", "已中断"),
    "state.running": ("running", "运行中"),
    "role.user": ("you", "你"),
    "role.assistant": ("agent", "助手"),
    "role.system": ("system", "系统"),
    "delete_sure": (
        (
            "Delete the session {name!r} with its {runs} {runs:plural run runs}? "
            "This cannot be undone."
        ),
        "删除会话 {name!r} 及其 {runs} 次运行?此操作无法撤销。",
    ),
    "delete_needs_yes": (
        "deleting asks first, and there is no terminal to ask in. Add --yes.",
        "删除前需要确认,但当前没有终端。请加上 --yes。",
    ),
    "deleted": ("deleted the session {name!r}", "已删除会话 {name!r}"),
    "kept": ("nothing was deleted", "未删除任何内容"),
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
    "rewound": (
        "{restored} restored, {removed} removed, {kept} left as is.",
        "恢复 {restored} 个,移除 {removed} 个,保留 {kept} 个。",
    ),
    "rewound.restored": ("restored {path}", "已恢复 {path}"),
    "rewound.removed": ("removed {path}", "已移除 {path}"),
    "rewound.kept": ("left as it is: {path} ({why})", "保持原样:{path}({why})"),
    "why.changed": ("somebody else changed it since", "此后被他人修改"),
    "why.not_kept": ("what it held is not kept", "其原内容未保存"),
    "why.untracked": ("it is not looked into", "不跟踪该目录"),
    "why.not_seen": ("it cannot be looked at", "无法查看"),
    "why.refused": ("it could not be written", "无法写入"),
    "no_changes": ("the agent changed no files.", "代理没有修改任何文件。"),
    "changed.write": ("made {path}", "新建 {path}"),
    "changed.edit": ("changed {path}", "修改 {path}"),
    "changed.delete": ("removed {path}", "删除 {path}"),
    "changed.more": ("and {count} more", "以及另外 {count} 个"),
    "cannot_go_back": ("cannot go back: {why}", "无法回退:{why}"),
    "rewind_no_workspace": (
        "no message of the session says where the agent worked. Name it with --workspace.",
        "该会话没有记录代理的工作目录。请用 --workspace 指定。",
    ),
    "rate_no_words": (
        "Write good, bad or none, and behind it what should have been different.",
        "请写 good、bad 或 none,其后可说明应有何不同。",
    ),
    "rate_bad_words": (
        (
            "{given!r} is no rating. Write good, bad or none, and behind it what should have been "
            "different."
        ),
        "{given!r} 不是评价。请写 good、bad 或 none,其后可说明应有何不同。",
    ),
}
