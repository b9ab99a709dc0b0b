"""Sentences of `dataagent usage` and `dataagent context`, and of the question at a budget."""

USAGE_TEXTS: dict[str, tuple[str, str]] = {
    "question.budget": ("the budget is used up", "预算已用尽"),
    "budget_question": (
        (
            "The next model call may use up to {needed}, which does not fit. For this run, raise "
            "{wanted}?"
        ),
        "下一次模型调用最多可能使用 {needed},超出预算。是否为本次运行提高{wanted}?",
    ),
    "budget_stands": ("{budget}: {used} used", "{budget}:已用 {used}"),
    "budget_raised": ("{budget} by {step}", "{budget} {step}"),
    "budget_name.run": ("the budget of this run", "本次运行的预算"),
    "budget_name.day": ("the budget of today", "今日预算"),
    "budget_name.month": ("the budget of this month", "本月预算"),
    "budget_way.approve": ("raise it", "提高预算"),
    "budget_way.reject": ("end the run; its work is kept", "结束运行,已完成的工作会保留"),
    "tokens": ("{count:,} tokens", "{count:,} token"),
    "tokens_of": ("{used:,} / {limit:,} tokens", "{used:,} / {limit:,} token"),
    "and": (" and ", "和"),
    "unpriced_limit": (
        (
            "calls of unknown price: {calls}. A limit of money cannot hold them: set one of tokens "
            "too, or the price under [models] in config.toml."
        ),
        (
            "价格未知的调用:{calls} 次。金额上限对其无效:请同时设置 token 上限,"
            "或在 config.toml 的 [models] 中填写价格。"
        ),
    ),
    "no_usage_of": (
        "the session has used no model.",
        "该会话未使用任何模型。",
    ),
    "no_usage": ("no model was used yet.", "尚未使用任何模型。"),
    "one_of_usage": (
        "--day, --month and --session exclude each other. Give one of them.",
        "--day、--month 和 --session 只能选择其一。",
    ),
    "usage_total": ("total", "合计"),
    "usage_col.name": ("what", "项目"),
    "usage_col.calls": ("calls", "调用"),
    "usage_col.input": ("input", "输入"),
    "usage_col.cached": ("cached", "缓存"),
    "usage_col.output": ("output", "输出"),
    "usage_col.cost": ("cost", "费用"),
    "cost_unknown": ("unknown", "未知"),
    "cost_partly_known": ("{known} and unknown", "{known} 及未知部分"),
    "budget_of.day": ("budget of today: {used}", "今日预算:{used}"),
    "budget_of.month": ("budget of this month: {used}", "本月预算:{used}"),
    "no_context": (
        "no model call of this session is on record.",
        "该会话没有模型调用记录。",
    ),
    "context_col.part": ("part", "部分"),
    "context_col.tokens": ("tokens", "token 数"),
    "context_col.share": ("of the window", "占窗口"),
    "context.system": ("instructions", "系统提示"),
    "context.tools": ("tools", "工具"),
    "context.skills": ("skills", "技能"),
    "context.memory": ("memory", "记忆"),
    "context.summary": ("summary and pins", "摘要与要点"),
    "context.history": ("messages", "消息"),
    "context.results": ("results of tools", "工具结果"),
    "context_window": ("window: {window:,} tokens", "窗口:{window:,} token"),
    "context_reported": (
        "the provider counted {tokens:,} tokens, {share} of them cached.",
        "服务商计数 {tokens:,} token,其中 {share} 来自缓存。",
    ),
}
