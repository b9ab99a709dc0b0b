"""What is said of models, their providers and their windows: English, Chinese."""

MODEL_TEXTS: dict[str, str] = {
    "No model is configured, so the built-in demo answers: set a key such as ANTHROPIC_API_KEY or "
    "OPENAI_API_KEY, start Ollama, or set DATAAGENT_MODEL=provider:name.": (
        "未配置模型,因此由内置演示作答:请设置密钥(如 ANTHROPIC_API_KEY 或 OPENAI_API_KEY)、"
        "启动 Ollama,或设置 DATAAGENT_MODEL=provider:name。"
    ),
    "{provider} needs a key: set {variable} in the environment or in .env, or choose another model "
    "with DATAAGENT_MODEL=provider:name.": (
        "{provider} 需要密钥:请在环境变量或 .env 中设置 {variable},"
        "或用 DATAAGENT_MODEL=provider:name 选择其他模型。"
    ),
    "the .env of this directory would send your {key} to {address}. If that is what you want, set "
    "the address in the environment, or put the key into .env as well.": (
        "此目录的 .env 会把您的 {key} 发送到 {address}。如果这正是您想要的,"
        "请在环境变量中设置该地址,或把密钥也写入 .env。"
    ),
    "The model {name} needs a package that is not installed ({package}). Install it, usually with: "
    "pip install {install}": (
        "模型 {name} 需要的软件包尚未安装({package})。通常可这样安装:pip install {install}"
    ),
    "The model {name} cannot be set up: {why}. Check its name and its provider's key and "
    "address.": ("无法使用模型 {name}:{why:said}。请检查其名称,以及其提供方的密钥和地址。"),
    "{provider} in {name} is not a provider. Known here: {known}, and those of LangChain. A model "
    "of Ollama is written ollama:{model}.": (
        "{name} 中的 {provider} 不是模型提供方。已知的有:{known},以及 LangChain 支持的提供方。"
        "Ollama 的模型写作 ollama:{model}。"
    ),
    "The model {name} does not say whose it is: write provider:name, as in openai:{openai} or "
    "ollama:{ollama}.": (
        "模型 {name} 未说明提供方:请写作 provider:name,例如 openai:{openai} 或 ollama:{ollama}。"
    ),
    "The model {name} is incomplete: write provider:name, as in openai:gpt-5.5.": (
        "模型 {name} 不完整:请写作 provider:name,例如 openai:gpt-5.5。"
    ),
    "{model} failed{status}: {why} Choose another model, or look at its provider's status.": (
        "{model:said} 调用失败{status}:{why:said} 请选择其他模型,或查看其提供方的状态。"
    ),
    "{model} is not available just now (HTTP {status}): {why}": (
        "{model:said} 暂时不可用(HTTP {status}):{why}"
    ),
    "{model} is not available just now: {why}": "{model:said} 暂时不可用:{why}",
    "{model} broke off before its answer was whole: {why}": "{model:said} 在回答完整之前中断:{why}",
    "{model} cannot be reached (check that the address is right and the server is "
    "running): {why}": ("{model:said} 无法连接(请检查地址是否正确、服务器是否在运行):{why}"),
    "Ask again {when}, or name models to fall back to in {setting}.": (
        "请{when:said}再试,或在 {setting} 中指定备用模型。"
    ),
    "Ask again; if it goes on, look at the network between here and there.": (
        "请重试;如果仍然如此,请检查网络连接。"
    ),
    "{model} cannot take so long a conversation: {why} Start a new session, or choose a model with "
    "a larger window.": (
        "{model:said} 无法处理这么长的对话:{why:said} 请开始新的会话,或选择窗口更大的模型。"
    ),
    "{model} refused the key (HTTP {status}): {why} Check {variable}.": (
        "{model:said} 拒绝了密钥(HTTP {status}):{why:said} 请检查 {variable:said}。"
    ),
    "{model} was not found: {why} Check the model's name with `dataagent models`, and the "
    "provider's address if you set one.": (
        "找不到{model:said}:{why:said} 请用 `dataagent models` 检查模型名称;"
        "如果设置了地址,也请检查。"
    ),
    "{model} refused for lack of credit: {why} Top up the account, or choose another model.": (
        "{model:said} 因余额不足而拒绝:{why:said} 请充值,或选择其他模型。"
    ),
    "The script {path} is over {limit} bytes.": "脚本 {path} 超过 {limit} 字节。",
    "The script {path} cannot be read: {why}.": "无法读取脚本 {path}:{why}。",
    "The script {path} is not valid: {why}": "脚本 {path} 无效:{why}",
    "{pattern} is not a regular expression: {why}": "{pattern} 不是正则表达式:{why}",
    "the conversation does not fit the model after recovery: about {tokens} tokens were refused "
    "({why}). Ask in a new session, send less at once, or set DATAAGENT_MAX_CONTEXT_TOKENS to what "
    "the model really takes.": (
        "压缩后对话仍超出模型窗口:约 {tokens} 个词元被拒绝({why:said})。请在新的会话中提问、"
        "一次少发一些,或将 DATAAGENT_MAX_CONTEXT_TOKENS 设为模型实际支持的大小。"
    ),
    "DATAAGENT_SYSTEM_BUDGET_PCT, DATAAGENT_HISTORY_BUDGET_PCT, DATAAGENT_RECENT_BUDGET_PCT and "
    "DATAAGENT_OUTPUT_RESERVE_PCT share out one window, but add up to {sum}. Make them 1 or "
    "less.": (
        "DATAAGENT_SYSTEM_BUDGET_PCT、DATAAGENT_HISTORY_BUDGET_PCT、DATAAGENT_RECENT_BUDGET_PCT 与 "
        "DATAAGENT_OUTPUT_RESERVE_PCT 共分一个窗口,但合计为 {sum}。请使其不超过 1。"
    ),
    "a run's budget is a setting (run_cost_max, run_tokens_max); set one for a user, a project or "
    "the tenant, for a day or a month.": (
        "单次运行的预算是设置项(run_cost_max、run_tokens_max);"
        "此处可为用户、项目或租户设置每日或每月预算。"
    ),
    "a budget needs a limit of money, of tokens, or both.": (
        "预算需要金额上限、词元上限,或两者皆有。"
    ),
    "a budget's limit is {limit}; it must be from 0 to {most}.": (
        "预算上限为 {limit};必须在 0 到 {most} 之间。"
    ),
}
