"""Every sentence of the command line: key, English, Chinese.

Help texts stay in English; what core says of an error comes from core.
"""

from dataagent_cli.catalogue_commands import COMMAND_TEXTS
from dataagent_cli.catalogue_data import DATA_TEXTS
from dataagent_cli.catalogue_help import HELP_TEXTS
from dataagent_cli.catalogue_mcp import MCP_TEXTS
from dataagent_cli.catalogue_modes import MODE_TEXTS
from dataagent_cli.catalogue_remote import REMOTE_TEXTS
from dataagent_cli.catalogue_repl import REPL_TEXTS
from dataagent_cli.catalogue_rewind import REWIND_TEXTS
from dataagent_cli.catalogue_sessions import SESSION_TEXTS
from dataagent_cli.catalogue_setup import SETUP_TEXTS
from dataagent_cli.catalogue_transcript import TRANSCRIPT_TEXTS
from dataagent_cli.catalogue_usage import USAGE_TEXTS

TEXTS: dict[str, tuple[str, str]] = {
    # Errors
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
    # A run
    "resumed": ("resumed (attempt {attempt})", "已恢复(第 {attempt} 次)"),
    "again": ("the answer starts again", "重新输出回答"),
    "retry": (
        "trying again in {delay:.1f} s ({attempt}): {reason}",
        "{delay:.1f} 秒后重试(第 {attempt} 次):{reason:translated}",
    ),
    "warning": ("warning: {text}", "警告:{text:translated}"),
    "thought": ("thought: {text}", "思考:{text}"),
    "plan": ("plan", "计划"),
    "more_lines": ("… {count} more {count:plural line lines}", "… 还有 {count} 行"),
    "subagent": ("{name} works on: {task}", "{name} 正在处理:{task}"),
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
    "done": ("done · {seconds:.1f} s", "完成 · {seconds:.1f} 秒"),
    "done_tokens": (
        "done · {tokens:,} tokens · {seconds:.1f} s",
        "完成 · {tokens:,} 个 token · {seconds:.1f} 秒",
    ),
    "cancelling": ("stopping …", "正在停止 …"),
    "cancelled": ("cancelled", "已取消"),
    "rejected": ("rejected; the run has ended", "已拒绝;任务结束"),
    "has_unfinished": (
        (
            "the session has an unfinished run. Finish it first:\n"
            "  {dataagent} run --resume {session}"
        ),
        "该会话还有未完成的任务。请先完成它:\n  {dataagent} run --resume {session}",
    ),
    "mention_missing": (
        (
            "there is no file, folder, data source or MCP server {name!r} here that the agent may "
            "read, so nothing is attached: check the name"
        ),
        (
            "此处没有智能体可读取的名为 {name!r} 的文件、文件夹、数据源或 MCP 服务器,"
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
    # Approval
    "asks": ("{tool} asks for your approval", "{tool} 请求批准"),
    "asks_sub": ("{tool} ({subagent}) asks for your approval", "{tool}({subagent})请求批准"),
    "choices": (
        (
            "[y] yes, once   [a] always in this session   [p] always in this project\n"
            "[e] edit   [n] no, because ...   [r] reject and end the run"
        ),
        (
            "[y] 允许一次   [a] 本会话始终允许   [p] 本项目始终允许\n"
            "[e] 修改参数   [n] 不,原因是 ...   [r] 拒绝并结束任务"
        ),
    ),
    "project_not_trusted": (
        (
            "the rules of this folder are not trusted, so nothing saved here would count. Look at "
            "them and trust them first:\n"
            "  {dataagent} permissions trust\n"
            "For now, [a] allows it for the rest of this session."
        ),
        (
            "该文件夹的规则尚未被信任,保存的规则不会生效。请先查看并信任:\n"
            "  {dataagent} permissions trust\n"
            "目前可选择 [a],在本会话内始终允许。"
        ),
    ),
    "project_would_save": ("this would be added to {path}:", "将添加到 {path}:"),
    "project_sure": ("save it? [y/n] ", "保存?[y/n] "),
    "view_all": ("[v] view all {count} lines", "[v] 查看全部 {count} 行"),
    "choice": ("your choice: ", "请选择:"),
    "why_not": ("why not: ", "原因:"),
    "new_args": ("new arguments, as JSON in one line: ", "新的参数(一行 JSON):"),
    "bad_args": ("these are not arguments: {problem}", "参数无效:{problem}"),
    "bad_choice": ("please answer y, a, p, e, n or r", "请输入 y、a、p、e、n 或 r"),
    "nobody": ("nobody is there to approve {tool}.", "没有人可以批准 {tool}。"),
    "nobody_answers": ("nobody is there to answer the question.", "没有人可以回答问题。"),
    "question.clarification": ("the agent asks", "智能体提问"),
    "question.decision": ("the agent lets you decide", "请你决定"),
    "question.doom_loop": ("the agent repeats itself", "智能体在重复同一操作"),
    "recommended": ("(recommended)", "(推荐)"),
    "plan_way.Accept, ask me first": ("Accept, ask me first", "接受,先问我"),
    "plan_way.Accept, ask me first.about": (
        "Carry it out; what the rules ask about is asked.",
        "执行计划;规则要求询问的操作会先询问。",
    ),
    "plan_way.Accept, go ahead": ("Accept, go ahead", "接受,直接执行"),
    "plan_way.Accept, go ahead.about": (
        "Carry it out by yourself, within the rules.",
        "在规则之内自行执行。",
    ),
    "plan_way.Keep planning": ("Keep planning", "继续规划"),
    "plan_way.Keep planning.about": (
        "Nothing is changed yet; say what should be different.",
        "尚未做任何更改;请说明需要怎样调整。",
    ),
    "answer_how": ("a number, or your own words", "输入编号,或直接回答"),
    "answer_how_several": (
        "numbers with commas between them, such as 1, 2, or your own words",
        "输入一个或多个编号(用逗号分隔,如 1, 2),或直接回答",
    ),
    "bad_number": (
        "please answer with a number from 1 to {count}, or with words",
        "请输入 1 到 {count} 之间的编号,或用文字回答",
    ),
    "answer": ("your answer: ", "你的回答:"),
    "bad_answer": ("please answer with a number or a text", "请输入编号或文字"),
    "demo_approves": ("approved by the demo itself: {action}", "演示自动批准:{action}"),
    # What tools do
    "verb.ls": ("list", "列出"),
    "verb.read_file": ("read", "读取"),
    "verb.write_file": ("write", "写入"),
    "verb.edit_file": ("edit", "修改"),
    "verb.delete": ("delete", "删除"),
    "verb.glob": ("find", "查找"),
    "verb.grep": ("search", "搜索"),
    "verb.task": ("delegate", "委派"),
    "verb.write_todos": ("plan", "计划"),
    "verb.question": ("question:", "问题:"),
    # Sessions
    "no_sessions": (
        'no sessions yet. Start one with: {dataagent} run "..."',
        '还没有会话。开始一个:{dataagent} run "..."',
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
    # Permissions
    "no_rules": (
        (
            "no rules of your own; the defaults count. Add one with\n"
            '  {dataagent} permissions add deny shell "git push *"'
        ),
        (
            "没有自定义规则,使用默认规则。添加:\n"
            '  {dataagent} permissions add deny shell "git push *"'
        ),
    ),
    "col.number": ("number", "编号"),
    "col.action": ("action", "动作"),
    "col.tool": ("tool", "工具"),
    "col.resource": ("resource", "资源"),
    "project_untrusted": (
        "the folder's rules only tighten until you trust them: {dataagent} permissions trust",
        "在你信任之前,该文件夹的规则只能收紧权限:{dataagent} permissions trust",
    ),
    "rule_added": ("added to {path}: {rule}", "已添加到 {path}:{rule}"),
    "rule_already": ("{path} already says so: {rule}", "{path} 中已有该规则:{rule}"),
    "rule_removed": ("removed from {path}: {rule}", "已从 {path} 删除:{rule}"),
    "folder_trusted": (
        "the rules of {path} count like your own until they change",
        "{path} 的规则现与你自己的规则同等有效,直到其内容改变",
    ),
    "folder_distrusted": ("the rules of {path} only tighten now", "{path} 的规则现在只能收紧权限"),
    "held_taken": ("{path} is in its place now", "{path} 已写入"),
    "held_none": ("no change is held back in {path}", "{path} 中没有被扣留的修改"),
    "env_withheld": (
        (
            "not taken from the .env of this directory, which you have not trusted: {shown}. "
            "`dataagent permissions trust` takes it."
        ),
        "未采用此目录 .env 中的设置(尚未信任):{shown}。运行 `dataagent permissions trust` 以采用。",
    ),
    "env_trusted": (
        "its .env counts until these values change: {shown}",
        "其 .env 有效,直到这些值改变:{shown}",
    ),
    "env_distrusted": ("not taken from its .env: {shown}", "不采用其 .env 中的:{shown}"),
    "registries_allowed": (
        "commands in {path} reach {hosts}, and no other host",
        "{path} 中的命令只能访问 {hosts}",
    ),
    "registries_none": ("commands in {path} reach no host", "{path} 中的命令不能访问网络"),
    "decision.allow": ("allowed: {reason}", "允许:{reason:translated}"),
    "decision.ask": ("asked about: {reason}", "需要询问:{reason:translated}"),
    "decision.deny": ("denied: {reason}", "拒绝:{reason:translated}"),
    "always_saves": ("always would allow: {rule}", "选择“始终允许”将添加:{rule}"),
    "always_nothing": (
        "no rule can cover it: it is asked about every time",
        "没有规则可以涵盖此操作:每次都会询问",
    ),
    # Models and configuration
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
    # Doctor
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
    # Demo
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
    **COMMAND_TEXTS,
    **DATA_TEXTS,
    **HELP_TEXTS,
    **MCP_TEXTS,
    **SESSION_TEXTS,
    **SETUP_TEXTS,
    **TRANSCRIPT_TEXTS,
    **REMOTE_TEXTS,
    **REPL_TEXTS,
    **REWIND_TEXTS,
    **MODE_TEXTS,
    **USAGE_TEXTS,
}
