"""The sentences of the `mcp` commands: key, English, Chinese."""

MCP_TEXTS: dict[str, tuple[str, str]] = {
    "mcp_none": (
        (
            "there are no MCP servers yet. Add one:\n"
            "  {dataagent} mcp add NAME -- COMMAND ARG...\n"
            "  {dataagent} mcp add NAME --url https://...\n"
            "or take over those of another program: {dataagent} mcp import --from claude-desktop"
        ),
        (
            "还没有 MCP 服务器。添加:\n"
            "  {dataagent} mcp add NAME -- COMMAND ARG...\n"
            "  {dataagent} mcp add NAME --url https://...\n"
            "或从其他程序导入:{dataagent} mcp import --from claude-desktop"
        ),
    ),
    "col.mcp_server": ("SERVER", "服务器"),
    "col.mcp_transport": ("TRANSPORT", "传输方式"),
    "col.mcp_state": ("STATE", "状态"),
    "col.mcp_from": ("FROM", "来源"),
    "col.mcp_tool": ("TOOL", "工具"),
    "mcp_state.enabled": ("enabled", "已启用"),
    "mcp_state.disabled": ("disabled", "已停用"),
    "mcp_state.asks": ("asks first", "使用前询问"),
    "mcp_state.refused": ("refused", "已拒绝"),
    "mcp_no_server": (
        "there is no MCP server {name!r}. {guess}`{dataagent} mcp list` shows them.",
        "没有 MCP 服务器 {name!r}。{guess}可用 `{dataagent} mcp list` 查看。",
    ),
    # Changing
    "mcp_new_server": ("mcp add", "mcp add"),
    "mcp_url_and_command": (
        "--url is for a server that runs elsewhere; give no command with it.",
        "--url 用于在别处运行的服务器;请不要同时给出命令。",
    ),
    "mcp_url_or_command": (
        (
            "say what {name!r} is: {dataagent} mcp add {name} -- COMMAND ARG... "
            "or {dataagent} mcp add {name} --url URL"
        ),
        (
            "请说明 {name!r} 是什么:{dataagent} mcp add {name} -- COMMAND ARG... "
            "或 {dataagent} mcp add {name} --url URL"
        ),
    ),
    "mcp_unknown_option": (
        (
            "there is no option {option!r}. What is meant for the server's program goes behind "
            "`--`: {dataagent} mcp add {name} -- COMMAND {option}"
        ),
        (
            "没有选项 {option!r}。服务器程序的参数请放在 `--` 之后:"
            "{dataagent} mcp add {name} -- COMMAND {option}"
        ),
    ),
    "mcp_bad_env": (
        "--env takes NAME=VALUE, or NAME to use your own variable of that name.",
        "--env 的格式为 NAME=VALUE,或仅 NAME(使用你自己的同名变量)。",
    ),
    "mcp_bad_header": ("--header takes NAME=VALUE.", "--header 的格式为 NAME=VALUE。"),
    "mcp_no_path": (
        "{path} does not exist, so the server cannot be given it.",
        "{path} 不存在,无法提供给服务器。",
    ),
    "mcp_exists": (
        (
            "there is an MCP server {name!r} already. Choose another name, or add --replace to "
            "put this one in its place."
        ),
        "已有 MCP 服务器 {name!r}。请换一个名称,或加上 --replace 替换它。",
    ),
    "mcp_added": ("added {name}: {place}  ({path})", "已添加 {name}:{place}  ({path})"),
    "mcp_command_missing": (
        "{command!r} is not a program that is found here; install it before the server is used.",
        "此处找不到程序 {command!r};请先安装再使用该服务器。",
    ),
    "mcp_next_test": ("try it: {dataagent} mcp test {name}", "试一试:{dataagent} mcp test {name}"),
    "mcp_removed": ("removed {name} from {path}", "已从 {path} 删除 {name}"),
    "mcp_enabled": ("{name} is used again", "{name} 已重新启用"),
    "mcp_disabled": (
        "{name} is not used until `{dataagent} mcp enable {name}`",
        "{name} 已停用;重新启用:`{dataagent} mcp enable {name}`",
    ),
    "mcp_of_project": (
        (
            "{name!r} belongs to the project: change {path}, or refuse it with "
            "`{dataagent} mcp trust --no {name}`."
        ),
        "{name!r} 属于该项目:请修改 {path},或用 `{dataagent} mcp trust --no {name}` 拒绝它。",
    ),
    "mcp_of_other_file": (
        "{name!r} is written in {path}, which another program owns: change it there.",
        "{name!r} 写在属于其他程序的 {path} 中:请在那里修改。",
    ),
    "mcp_is_disabled": (
        "{name!r} is disabled. Use it again: {dataagent} mcp enable {name}",
        "{name!r} 已停用。重新启用:{dataagent} mcp enable {name}",
    ),
    # What a project brings
    "mcp_asks_start": (
        "this project brings the MCP server {name!r}, a program that would be started:",
        "该项目带有 MCP 服务器 {name!r},它是一个将被启动的程序:",
    ),
    "mcp_asks_reach": (
        "this project brings the MCP server {name!r}, which would be reached at an address:",
        "该项目带有 MCP 服务器 {name!r},将通过以下地址访问:",
    ),
    "mcp_asks_variables": (
        "it would be given your variables: {names}",
        "它将获得你的变量:{names}",
    ),
    "mcp_asks_from": ("from {path}", "来自 {path}"),
    "mcp_asks_choice": (
        "use it here, until its entry changes? [y/n] ",
        "在此使用它(直到其内容改变)?[y/n] ",
    ),
    "mcp_left_out": (
        (
            "the project's MCP server {name!r} is left out until you allow it: "
            "{dataagent} mcp trust {name}"
        ),
        "项目的 MCP 服务器 {name!r} 在你允许之前不会使用:{dataagent} mcp trust {name}",
    ),
    "mcp_not_trusted": (
        (
            "{name!r} comes with the project ({path}) and you have not allowed it. Look at it, "
            "then: {dataagent} mcp trust {name}"
        ),
        "{name!r} 来自项目({path}),尚未获得你的允许。请先查看,然后:{dataagent} mcp trust {name}",
    ),
    "mcp_must_ask": (
        "{name} comes with the project and is asked about first: {dataagent} mcp trust {name}",
        "{name} 来自项目,使用前会询问:{dataagent} mcp trust {name}",
    ),
    "mcp_not_projects": (
        "{name!r} is your own ({path}) and needs no trust.",
        "{name!r} 是你自己的服务器({path}),无需信任。",
    ),
    "mcp_trusted": (
        "{name} of {path} is used here until its entry changes",
        "{path} 中的 {name} 将在此使用,直到其内容改变",
    ),
    "mcp_refused": ("{name} of {path} is not used here", "{path} 中的 {name} 不会在此使用"),
    # Import
    "mcp_import_kept": (
        "{name!r} is there already and was kept as it is; --replace takes the other one.",
        "{name!r} 已存在,保持不变;--replace 可替换它。",
    ),
    "mcp_import_nothing": ("nothing new in {files}", "{files} 中没有新内容"),
    "mcp_import_no_file": (
        "no file of {product} is here ({places}). Name one: {dataagent} mcp import FILE",
        "未找到 {product} 的文件。查找位置:{places}。请指定:{dataagent} mcp import FILE",
    ),
    "mcp_import_what": (
        ("name a file, or a product with --from ({products}). Files found here: {found}"),
        "请指定文件,或用 --from 指定产品({products})。此处找到的文件:{found}",
    ),
    # Using
    "mcp_works": (
        "{name} works: {tools} tools · {version} · {ms} ms",
        "{name} 正常:{tools} 个工具 · {version} · {ms} 毫秒",
    ),
    "mcp_next_tools": (
        "see them: {dataagent} mcp tools {name}",
        "查看:{dataagent} mcp tools {name}",
    ),
    "mcp_no_tools": ("{name} has no tools", "{name} 没有工具"),
    "mcp_next_sign_in": ("{dataagent} mcp login {name}", "{dataagent} mcp login {name}"),
    "mcp_next": ("{error}\nnext: {text}", "{error}\n下一步:{text}"),
    "mcp_next_command": (
        "run its command yourself to see what it says: {place}",
        "自行运行其命令以查看输出:{place}",
    ),
    "mcp_next_url": (
        "check that {place} is right and can be reached, and its headers",
        "检查 {place} 是否正确、可访问,以及请求头",
    ),
    "mcp_no_tool": (
        "{name!r} has no tool {tool!r}. {guess}`{dataagent} mcp tools {name}` shows them.",
        "{name!r} 没有工具 {tool!r}。{guess}可用 `{dataagent} mcp tools {name}` 查看。",
    ),
    "mcp_bad_json": (
        "the arguments are not JSON: {problem}. Write an object such as {example}",
        "参数不是 JSON:{problem}。请写成对象,例如 {example}",
    ),
    "mcp_too_deep": ("nested too deeply", "嵌套过深"),
    "mcp_not_object": (
        "the arguments are not a JSON object. Write one such as {example}",
        "参数不是 JSON 对象。请写成例如 {example}",
    ),
    "mcp_tool_failed": ("{tool} failed", "{tool} 失败"),
    "mcp_saved": ("saved {kind}: {path}", "已保存 {kind}:{path}"),
    "mcp_resource": ("resource: {uri}", "资源:{uri}"),
    # What a server asks in the middle of a call
    "mcp_asks_you": (
        "the MCP server {name} asks you, not DataAgent",
        "MCP 服务器 {name} 向你提问(不是 DataAgent)",
    ),
    "mcp_wants_model": (
        "the MCP server {server} wants your model to answer this",
        "MCP 服务器 {server} 请求由你的模型回答以下内容",
    ),
    "mcp_system_prompt": ("system prompt", "系统提示词"),
    "mcp_model_words": (
        (
            "(These are the server's own words, and nobody has checked them. The model sees them "
            "alone; its answer goes to the server, and this run pays for it.)"
        ),
        (
            "(以上是该服务器自己的文字,未经任何人核实。模型只会看到这些内容;"
            "其回答将发送给该服务器,费用计入本次运行。)"
        ),
    ),
    "mcp_form_choices": (
        "[y] answer it   [d] tell the server no\n[c] leave it, because ...   [r] end the run",
        "[y] 回答   [d] 拒绝该服务器\n[c] 不回答,原因是 ...   [r] 结束任务",
    ),
    "mcp_page_choices": (
        (
            "[y] I have been there   [d] tell the server no\n"
            "[c] leave it, because ...   [r] end the run"
        ),
        "[y] 已访问该页面   [d] 拒绝该服务器\n[c] 不访问,原因是 ...   [r] 结束任务",
    ),
    "mcp_bad_choice": ("please answer one of {choices}", "请输入其中之一:{choices}"),
    "mcp_field": ("{field}: ", "{field}:"),
    "mcp_field_required": ("required", "必填"),
    "mcp_field_optional": ("may be left empty", "可留空"),
    "mcp_field_needed": ("it cannot be left empty.", "此项不能为空。"),
    "mcp_kind.string": ("text", "文本"),
    "mcp_kind.integer": ("whole number", "整数"),
    "mcp_kind.number": ("number", "数字"),
    "mcp_kind.boolean": ("yes or no", "是或否"),
    "mcp_kind.array": ("several, with commas between", "多项,用逗号分隔"),
    "mcp_kind.choice": ("choose one", "单选"),
    "mcp_kind.choices": ("choose some, with commas between", "多选,用逗号分隔"),
    "mcp_visited": ("done? [y/n] ", "完成了吗?[y/n] "),
    # Signing in
    "mcp_wants_sign_in": (
        "the MCP server {name} wants you to sign in",
        "MCP 服务器 {name} 要求你登录",
    ),
    "mcp_sign_in_choices": (
        (
            "[b] open the browser   [u] only show the address\n"
            "[s] go on without   [n] no, because ...   [r] end the run"
        ),
        "[b] 打开浏览器   [u] 仅显示地址\n[s] 不登录,继续   [n] 不,原因是 ...   [r] 结束任务",
    ),
    "mcp_signed_in": ("signed in to {name}", "已登录 {name}"),
    "mcp_signed_out": ("signed out of {name}", "已退出 {name}"),
    "mcp_no_sign_in": (
        "{name!r} is a program on this machine; it takes its secrets by --env, not by signing in.",
        "{name!r} 是本机程序;其密钥通过 --env 提供,无需登录。",
    ),
}
