"""Sentences of `dataagent run` and of the guided demo: English, Chinese."""

RUN_TEXTS: dict[str, tuple[str, str]] = {
    "resumed": ("resumed (attempt {attempt})", "已恢复(第 {attempt} 次)"),
    "again": ("the answer starts again", "重新输出回答"),
    "retry": (
        "trying again in {delay:.1f} s ({attempt}): {reason}",
        "{delay:.1f} 秒后重试(第 {attempt} 次):{reason:translated}",
    ),
    "warning": ("warning: {text}", "警告:{text:translated}"),
    "thought": ("thought: {text}", "思考:{text}"),
    "more_lines": ("… {count} more {count:plural line lines}", "… 还有 {count} 行"),
    "compressed": (
        "the history was shortened for the model: {before} messages to {after}",
        "已为模型压缩历史:{before} 条消息减为 {after} 条",
    ),
    "lines": ("{count} {count:plural line lines}", "{count} 行"),
    "figures_traced": ("figures traced: {count} ({sources})", "有来源的数字:{count} 个({sources})"),
    "figures_value": (
        "value found, meaning not checked: {count} ({figures})",
        "找到数值,未核对含义:{count} 个({figures})",
    ),
    "figures_unsourced": (
        "figures without a source: {count} ({figures})",
        "没有来源的数字:{count} 个({figures})",
    ),
    "figures_no_query": (
        "no query ran, not verified: {count} {count:plural figure figures} ({figures})",
        "没有运行查询,未经核实的数字:{count} 个({figures})",
    ),
    "derivation.product": ("product", "乘积"),
    "derivation.cell": ("cell", "单元格"),
    "derivation.sum": ("sum", "合计"),
    "derivation.mean": ("mean", "平均"),
    "derivation.min": ("min", "最小值"),
    "derivation.max": ("max", "最大值"),
    "derivation.count": ("count", "计数"),
    "derivation.difference": ("difference", "差值"),
    "derivation.ratio": ("ratio", "比率"),
    "cancelling": ("stopping …", "正在停止 …"),
    "cancelled": ("cancelled", "已取消"),
    "has_unfinished": (
        (
            "the session has an unfinished run. Finish it first:\n"
            "  {dataagent} run --resume {session}"
        ),
        "该会话还有未完成的任务。请先完成它:\n  {dataagent} run --resume {session}",
    ),
    "mention_missing": (
        (
            "there is no sub-agent, file, folder, data source or MCP server {name!r} here that the "
            "agent may use, so nothing is attached: check the name"
        ),
        (
            "此处没有智能体可使用的名为 {name!r} 的子智能体、文件、文件夹、数据源或 MCP 服务器,"
            "因此未附加任何内容:请检查名称"
        ),
    ),
    "continue": (
        'continue with: {dataagent} run --session {session} "..."',
        '继续对话:{dataagent} run --session {session} "..."',
    ),
    "unfinished": (
        "the run is not finished. Go on with: {dataagent} run --resume {session}",
        "任务尚未完成。继续执行:{dataagent} run --resume {session}",
    ),
    "waits": (
        (
            "waiting for approval: {action}\n"
            "nobody can be asked here. Go on in a terminal with\n"
            "  {dataagent} run --resume {session}\n"
            "or allow it: {dataagent} run --resume {session} --yes   (everything)\n"
            "             {dataagent} run --resume {session} --approve {tool}"
        ),
        (
            "等待批准:{action}\n"
            "此处无法询问。请在终端中继续:\n"
            "  {dataagent} run --resume {session}\n"
            "或直接允许:{dataagent} run --resume {session} --yes   (全部)\n"
            "            {dataagent} run --resume {session} --approve {tool}"
        ),
    ),
    "waits_for_a_person": (
        (
            "waiting for approval: {action}\n"
            "{tool} is always put to a person, --yes and --approve do not answer it, and nobody\n"
            "can be asked here. Go on in a terminal with\n"
            "  {dataagent} run --resume {session}"
        ),
        (
            "等待批准:{action}\n"
            "{tool} 必须由人逐次确认,--yes 和 --approve 对它无效,此处又无法询问。请在终端中继续:\n"
            "  {dataagent} run --resume {session}"
        ),
    ),
    "waits_for_an_answer": (
        (
            "waiting for an answer: {action}\n"
            "nobody can be asked here. Go on in a terminal with\n"
            "  {dataagent} run --resume {session}"
        ),
        "等待回答:{action}\n此处无法询问。请在终端中继续:\n  {dataagent} run --resume {session}",
    ),
    "waits_with_a_plan": (
        (
            "the plan waits for your answer; nothing was changed. Accept it, or say what should\n"
            "be different, in a terminal with\n"
            "  {dataagent} run --resume {session}"
        ),
        (
            "计划正等待您的答复,尚未做任何更改。请在终端中接受或提出修改:\n"
            "  {dataagent} run --resume {session}"
        ),
    ),
    "demo_begins": (
        "This is the guided demo: a scripted model, real tools, no key, no network.",
        "这是引导演示:脚本模型、真实工具,无需密钥和网络。",
    ),
    "demo_where": ("workspace: {path}", "工作目录:{path}"),
    "demo_asked": ("you:  {prompt}", "你:{prompt}"),
    "demo_next_key": (
        (
            "Next: set ANTHROPIC_API_KEY, OPENAI_API_KEY or another key "
            '(`{dataagent} models` lists them), then\n  {dataagent} run "what is in this folder?"'
        ),
        (
            "下一步:设置 ANTHROPIC_API_KEY、OPENAI_API_KEY 或其他密钥"
            "(见 `{dataagent} models`),然后\n"
            '  {dataagent} run "这个文件夹里有什么?"'
        ),
    ),
    "demo_next_run": (
        'Next: your own question, with {model}:\n  {dataagent} run "what is in this folder?"',
        '下一步:用 {model} 提出你自己的问题:\n  {dataagent} run "这个文件夹里有什么?"',
    ),
}
