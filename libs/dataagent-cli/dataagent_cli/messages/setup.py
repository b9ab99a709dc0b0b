"""Sentences of scripting (`run --schema`, piped text) and of the first minutes (`setup`)."""

SETUP_TEXTS: dict[str, tuple[str, str]] = {
    # Scripting
    "resume_and_planning": (
        "--resume goes on as the message began; leave out --loop and --plan.",
        "--resume 按消息开始时的方式继续;请去掉 --loop 和 --plan。",
    ),
    "resume_and_schema": (
        "--resume finishes a run with the schema it was given; leave --schema out.",
        "--resume 会沿用该任务原有的 schema;请去掉 --schema。",
    ),
    "schema_unreadable": (
        "the schema {path!r} cannot be read: {problem}.",
        "无法读取 schema {path!r}:{problem}。",
    ),
    "stdin_silent": (
        (
            "standard input is open, but nothing came within {seconds:g} s: going on without it. "
            "With the prompt `-` it is waited for; `< /dev/null` says that there is none."
        ),
        (
            "标准输入已打开,但 {seconds:g} 秒内没有内容,将继续而不使用它。"
            "用提示 `-` 可等待输入;`< /dev/null` 表示没有输入。"
        ),
    ),
    "piped_cut": (
        "(standard input was longer; only its first {chars:,} characters are here.)",
        "(标准输入更长;此处仅包含前 {chars:,} 个字符。)",
    ),
    # First minutes
    "setup_none": (
        "No model is configured yet. Choose how DataAgent gets one:",
        "尚未配置模型。请选择 DataAgent 使用模型的方式:",
    ),
    "setup_now": (
        "Now used: {model} ({why}). Choose another, or leave it:",
        "当前使用:{model}({why})。可另选,或保持不变:",
    ),
    "setup_looking": ("looking for models on this machine ...", "正在查找本机上的模型……"),
    "setup_option.local": ("{model}  ({server} at {address})", "{model}({server},{address})"),
    "setup_option.more": (
        "another of the {count} models of {server} at {address}",
        "{server}({address})的其他模型(共 {count} 个)",
    ),
    "setup_option.key": ("paste a provider's key", "粘贴服务商的密钥"),
    "setup_option.address": (
        "another address that speaks OpenAI's chat completions",
        "其他兼容 OpenAI chat completions 的地址",
    ),
    "setup_option.demo": (
        "the demo: a scripted model, no key, no network",
        "演示:脚本模型,无需密钥和网络",
    ),
    "setup_option.leave": ("leave it as it is", "保持不变"),
    "setup_choose": ("your choice: ", "请选择:"),
    "setup_no_such": (
        "there is no {answer!r} here; type a number from 1 to {count}.",
        "没有 {answer!r};请输入 1 到 {count} 之间的数字。",
    ),
    "setup_which_model": ("Which model?", "使用哪个模型?"),
    "setup_key_ask": ("the key (it does not show): ", "密钥(不会显示):"),
    "setup_key_strange": (
        "that does not look like a key: {problem}.",
        "这看起来不像密钥:{problem}。",
    ),
    "setup_key_problem.empty": ("it is empty", "内容为空"),
    "setup_key_problem.spaces": ("it holds spaces or line breaks", "含有空格或换行"),
    "setup_key_problem.not_ascii": (
        "it holds characters no key has",
        "含有密钥中不会出现的字符",
    ),
    "setup_key_problem.long": ("it is too long", "太长"),
    "setup_key_problem.foreign": (
        (
            "it looks like one of {provider}, which is reached through its OpenAI-compatible "
            "address: choose `another address`"
        ),
        "看起来是 {provider} 的密钥,请通过其兼容 OpenAI 的地址使用:选择“其他地址”",
    ),
    "setup_which_provider": ("Whose key is it?", "这是哪家服务商的密钥?"),
    "setup_key_recognised": ("It looks like a key of {provider}.", "看起来是 {provider} 的密钥。"),
    "setup_address_ask": (
        "address, as in http://127.0.0.1:8080/v1: ",
        "地址(如 http://127.0.0.1:8080/v1):",
    ),
    "setup_address_bad": (
        "{address!r} is not an address: write it as in http://127.0.0.1:8080/v1.",
        "{address!r} 不是地址;请写成 http://127.0.0.1:8080/v1 的形式。",
    ),
    "setup_address_nothing": (
        "nothing at {address} lists models: {problem}.",
        "{address} 没有列出模型:{problem:translated}。",
    ),
    "setup_address_key": (
        "its key, if it needs one (it does not show): ",
        "密钥,如需要(不会显示):",
    ),
    "setup_trying": ("trying {model} once ...", "正在试用 {model}……"),
    "setup_tried.tools": (
        "{model} answers and can call tools.",
        "{model} 可以应答,并能调用工具。",
    ),
    "setup_tried.no_tools": (
        (
            "{model} answers, but did not call a tool when asked to: it can talk, and will hardly "
            "query data or edit files. A model made for tools works better."
        ),
        (
            "{model} 可以应答,但在要求时没有调用工具:可以对话,"
            "但难以查询数据或修改文件。建议使用支持工具的模型。"
        ),
    ),
    "setup_tried.failed": (
        "{model} did not answer: {problem}",
        "{model} 没有应答:{problem:translated}",
    ),
    "setup_tried.late": (
        "{model} did not answer within {seconds:g} s; it may still be loading.",
        "{model} 在 {seconds:g} 秒内没有应答;可能仍在加载。",
    ),
    "setup_keep_anyway": ("Keep it anyway?", "仍要保存吗?"),
    "setup_yes": ("yes", "是"),
    "setup_back": ("no, choose again", "否,重新选择"),
    "setup_saved": (
        "saved in {path}, readable by you alone. `{dataagent} config show` shows what is set.",
        "已保存到 {path},仅您可读。`{dataagent} config show` 可查看设置。",
    ),
    "setup_overruled": (
        "{source} sets another value for {name}; it comes before {path}. Unset it to use this one.",
        "{source} 为 {name} 设置了其他值,优先于 {path}。请取消该设置以使用此值。",
    ),
    "setup_demo": (
        "`{dataagent} demo` plays it; `{dataagent} setup` asks again.",
        "`{dataagent} demo` 播放演示;`{dataagent} setup` 可重新选择。",
    ),
    "setup_nothing_done": (
        "nothing was changed. `{dataagent} setup` asks again.",
        "没有任何更改。`{dataagent} setup` 可重新选择。",
    ),
    "setup_no_terminal": (
        (
            "setup asks questions and there is no terminal. Set DATAAGENT_MODEL=provider:name and "
            "the provider's key (`{dataagent} models` names it), or look at what is running here "
            "with `{dataagent} setup --json`."
        ),
        (
            "setup 需要提问,但没有终端。请设置 DATAAGENT_MODEL=provider:name 和服务商的密钥"
            "(见 `{dataagent} models`),或用 `{dataagent} setup --json` 查看本机正在运行的服务。"
        ),
    ),
    "why_setup": ("chosen just now", "刚刚选择"),
}
