"""Sentences of `dataagent models`, `config`, `doctor`, `usage` and `context`: English, Chinese."""

REPORT_TEXTS: dict[str, tuple[str, str]] = {
    "col.provider": ("provider", "提供方"),
    "col.available": ("available", "可用"),
    "col.set": ("to use it", "启用方式"),
    "col.model": ("model", "模型"),
    "col.context": ("context", "上下文"),
    "col.output": ("output", "输出上限"),
    "col.price": ("USD per 1M in / out", "每百万 token 美元 输入/输出"),
    "col.call": ("call", "调用"),
    "col.bytes": ("bytes", "字节"),
    "col.session": ("session", "会话"),
    "col.last": ("last active", "最近活动"),
    "col.runs": ("runs", "运行数"),
    "col.state": ("state", "状态"),
    "col.message": ("last message", "最后消息"),
    "col.setting": ("setting", "设置"),
    "col.value": ("value", "值"),
    "col.source": ("from", "来源"),
    "yes": ("yes", "是"),
    "no": ("no", "否"),
    "unknown": ("unknown", "未知"),
    "set_variable": ("set {variable}", "设置 {variable}"),
    "start_ollama": ("start Ollama and pull a model", "启动 Ollama 并下载模型"),
    "nothing_needed": ("nothing", "无需设置"),
    "scripted_file": ("scripted:FILE.json", "scripted:FILE.json"),
    "model_now": ("model used now: {model} ({why})", "当前使用的模型:{model}({why})"),
    "why_setting": ("set by {source}", "由 {source} 设置"),
    "why_key": ("{variable} is set", "已设置 {variable}"),
    "why_ollama": ("Ollama is running", "Ollama 正在运行"),
    "why_nothing": ("no key is set and no Ollama was found", "未设置密钥,也未找到 Ollama"),
    "fix": ("fix: {text}", "解决方法:{text}"),
    "python_ok": ("Python {version}", "Python {version}"),
    "python_old": ("Python {version} is too old", "Python {version} 版本过低"),
    "python_fix": ("install Python 3.11 or newer", "安装 Python 3.11 或更高版本"),
    "home_ok": ("{path} can be written", "{path} 可写"),
    "home_bad": ("{path} cannot be written: {problem}", "{path} 不可写:{problem}"),
    "home_fix": (
        "make it writable, or set DATAAGENT_HOME to a directory you own",
        "使其可写,或将 DATAAGENT_HOME 设为你拥有的目录",
    ),
    "database_ok": ("{path} is sound ({size:,} bytes)", "{path} 完好({size:,} 字节)"),
    "database_new": ("{path} will be made at the first run", "{path} 将在首次运行时创建"),
    "database_damaged": ("{path} is damaged: {problem}", "{path} 已损坏:{problem}"),
    "database_fix": (
        "move the file away (a new one is made) or restore a copy",
        "移走该文件(会自动新建)或恢复备份",
    ),
    "see_message": ("do what the message says", "按提示操作"),
    "model_ok": ("{model} ({why})", "{model}({why})"),
    "model_demo": ("only the built-in demo answers", "仅内置演示可用"),
    "model_demo_fix": (
        (
            "set a key such as ANTHROPIC_API_KEY or OPENAI_API_KEY, start Ollama, or set "
            "DATAAGENT_MODEL=provider:name"
        ),
        (
            "设置密钥(如 ANTHROPIC_API_KEY 或 OPENAI_API_KEY)、启动 Ollama,或设置 "
            "DATAAGENT_MODEL=provider:name"
        ),
    ),
    "endpoint_ok": ("{url} answers", "{url} 可访问"),
    "endpoint_bad": ("{url} cannot be reached: {problem}", "{url} 无法访问:{problem}"),
    "endpoint_fix": (
        "check the address, the network and the proxy settings",
        "检查地址、网络和代理设置",
    ),
    "sandbox_good": (
        "works: {count} properties checked in {seconds:.1f} s",
        "正常:{seconds:.1f} 秒内检查了 {count} 项",
    ),
    "sandbox_fix": (
        "shell and code_executor refuse to run until it works; see docs/sandbox.md",
        "在修复之前 shell 和 code_executor 不会运行;见 docs/sandbox.md",
    ),
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
