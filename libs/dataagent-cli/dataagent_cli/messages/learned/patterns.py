"""The sentences of `dataagent patterns`: key, English, Chinese."""

PATTERN_TEXTS: dict[str, tuple[str, str]] = {
    "col.pattern": ("PATTERN", "模式"),
    "col.pattern_state": ("STATE", "状态"),
    "col.uses": ("USES", "使用次数"),
    "col.success": ("SUCCESS", "成功率"),
    "col.repeats": ("CLEAN REPEATS", "顺利重复次数"),
    "col.workflow": ("WORKFLOW", "工作流"),
    "col.saved": ("SAVED", "已节省"),
    "col.task": ("TASK", "任务"),
    "pattern_state.draft": ("draft", "草稿"),
    "pattern_state.untrusted": ("untrusted", "不可信"),
    "pattern_state.trusted": ("trusted", "可信"),
    "pattern_state.archived": ("archived", "已归档"),
    "patterns_none": (
        "No patterns yet: they are learned from runs that lead to a result.",
        "还没有模式:模式从取得结果的运行中学到。",
    ),
    "pattern_unknown": (
        "There is no pattern {name!r}. `dataagent patterns list` names those that are there.",
        "没有模式 {name!r}。`dataagent patterns list` 会列出现有的模式。",
    ),
    "pattern_ambiguous": (
        "Several patterns are called {name!r}: give more of the id. There are {ids}.",
        "有多个模式名为 {name!r}:请给出更长的标识。现有:{ids}。",
    ),
    "pattern_no_workflow": (
        (
            "The pattern {name!r} has no workflow yet. This makes one: "
            "{dataagent} patterns compile {name}"
        ),
        "模式 {name!r} 还没有工作流。用以下命令生成:{dataagent} patterns compile {name}",
    ),
    "pattern_corrected": ("people corrected: {text}", "人工纠正:{text}"),
    "pattern_forget_sure": (
        "Delete the pattern {name!r} and all it learned?",
        "要删除模式 {name!r} 及其学到的一切吗?",
    ),
    "pattern_forgotten": ("forgot {name}", "已忘记 {name}"),
    "pattern_needs_yes": (
        "There is no terminal to ask at. Add --yes if you are sure.",
        "没有可供询问的终端。如果确定,请加上 --yes。",
    ),
    "workflow_runs": (
        "{runs} {runs:plural run runs}, {handed_over} handed over",
        "运行 {runs} 次,其中移交 {handed_over} 次",
    ),
    "workflow_saved": (
        "{tokens:,} {tokens:plural token tokens}, {seconds:,} s",
        "{tokens:,} 个 token,{seconds:,} 秒",
    ),
    "workflow_unchanged": (
        "the workflow {name} is as it was",
        "工作流 {name} 没有变化",
    ),
    "workflow_store_sure": ("Store the workflow {name}?", "要保存工作流 {name} 吗?"),
    "workflow_stored": (
        "stored; run it: {dataagent} patterns run {command}",
        "已保存;运行:{dataagent} patterns run {command}",
    ),
    "workflow_run_how": (
        "run it: {dataagent} patterns run {command}",
        "运行:{dataagent} patterns run {command}",
    ),
    "workflow_compile_how": (
        (
            "{name} was done {repeats} times in the same way. This makes a workflow of it: "
            "{dataagent} patterns compile {name}"
        ),
        (
            "{name} 已以相同方式完成 {repeats} 次。用以下命令生成工作流:"
            "{dataagent} patterns compile {name}"
        ),
    ),
    "workflow_bad_input": (
        "--input {given!r} has no `=`: write NAME=VALUE.",
        "--input {given!r} 没有 `=`:请写成 名称=值。",
    ),
    "workflow_input_twice": (
        "--input {name} is given twice: give it once.",
        "--input {name} 给出了两次:请只给一次。",
    ),
    "workflow_of_another": (
        (
            "The file is the workflow of the pattern {theirs!r}, and not of {name!r}. Write "
            "`pattern: {name}` into it if that is what you want."
        ),
        (
            "该文件是模式 {theirs!r} 的工作流,而不是 {name!r} 的。"
            "如确有此意,请在文件中写 `pattern: {name}`。"
        ),
    ),
    "workflow_changed": (
        (
            "The workflow of {name!r} was changed meanwhile, and yours is not stored. Look at it "
            "and make your change again: {dataagent} patterns show {name} --workflow"
        ),
        (
            "{name!r} 的工作流在此期间已被修改,你的修改没有保存。请查看后重新修改:"
            "{dataagent} patterns show {name} --workflow"
        ),
    ),
    "workflow_not_utf8": (
        "The file of the workflow is not UTF-8: save it as UTF-8.",
        "工作流文件不是 UTF-8 编码:请以 UTF-8 保存。",
    ),
    "pattern_mode.offered": (
        "an earlier way of working fits ({share}): {dataagent} patterns show {name}",
        "匹配到以往的做法({share}):{dataagent} patterns show {name}",
    ),
    "pattern_mode.offered.on_server": (
        "an earlier way of working fits ({share})",
        "匹配到以往的做法({share})",
    ),
    "pattern_mode.hint": (
        "the model is told of earlier work like this ({share}): {dataagent} patterns show {name}",
        "已向模型提示类似的以往做法({share}):{dataagent} patterns show {name}",
    ),
    "pattern_mode.hint.on_server": (
        "the model is told of earlier work like this ({share})",
        "已向模型提示类似的以往做法({share})",
    ),
    "pattern_mode.used": ("works as the pattern {name} says", "按模式 {name} 的做法进行"),
    "pattern_mode.workflow": (
        "runs as the workflow of the pattern {name}",
        "按模式 {name} 的工作流运行",
    ),
    "pattern_mode.repeated": (
        (
            "This was done several times in the same way. A workflow of it costs almost no tokens: "
            "{dataagent} patterns compile {name}"
        ),
        "此任务已多次以相同方式完成。工作流几乎不消耗 token:{dataagent} patterns compile {name}",
    ),
    "pattern_mode.repeated.on_server": (
        (
            "This was done several times in the same way. A workflow of it costs almost no tokens: "
            "make one in the console, on the page of patterns."
        ),
        "此任务已多次以相同方式完成。工作流几乎不消耗 token:可在控制台的模式页面中生成。",
    ),
}
