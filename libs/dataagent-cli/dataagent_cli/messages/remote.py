"""Sentences about servers: signing in, the connection, and what only works on this machine."""

REMOTE_TEXTS: dict[str, tuple[str, str]] = {
    # The address
    "remote_bad_url": (
        "{url!r} is no address of a server. It looks like https://agent.example.com",
        "{url!r} 不是服务器地址。地址形如 https://agent.example.com",
    ),
    "remote_bare_url": (
        "give the server's address alone, without a name, a password, `?` or `#`.",
        "只给出服务器地址,不要带用户名、密码、`?` 或 `#`。",
    ),
    "remote_needs_https": (
        (
            "{host} is another machine: use https, so that nobody reads your key on the way, "
            "or say --insecure."
        ),
        "{host} 是另一台机器:请使用 https,以免密钥在途中被读取;或加上 --insecure。",
    ),
    "remote_no_login": (
        "you are not signed in to a server. Do it with: {dataagent} login URL",
        "尚未登录任何服务器。请先执行:{dataagent} login URL",
    ),
    "remote_which": (
        "say which server: {dataagent} login URL",
        "请指明服务器:{dataagent} login URL",
    ),
    # Signing in
    "remote_key": ("API key for {url} (not shown): ", "{url} 的 API 密钥(不显示):"),
    "remote_key_from": ("using the key from {source}", "使用来自 {source} 的密钥"),
    "remote_no_key": (
        (
            "there is no key. Type it at a terminal, pipe it in, or set DATAAGENT_API_KEY. "
            "The server's console or `dataagent-server keys` makes one."
        ),
        (
            "没有密钥。请在终端输入、通过管道传入,或设置 DATAAGENT_API_KEY。"
            "可在服务器控制台或用 `dataagent-server keys` 创建。"
        ),
    ),
    "remote_bad_key": (
        "that is no API key: one is a single word of letters, digits and signs.",
        "这不是 API 密钥:密钥是由字母、数字和符号组成的一个单词。",
    ),
    "remote_signed_in": (
        "signed in to {url} as {user} ({tenant})",
        "已登录 {url},用户 {user}({tenant})",
    ),
    "remote_next": ("go on with: {dataagent} --server", "接下来:{dataagent} --server"),
    "remote_signed_out": (
        "forgot the key of {url}. The server still accepts it; delete it there if it leaked.",
        "已忘记 {url} 的密钥。服务器仍接受该密钥;若已泄露,请在服务器上删除。",
    ),
    "remote_no_such_login": (
        "you are not signed in to {url}, so there is nothing to forget.",
        "尚未登录 {url},无需退出。",
    ),
    # What a server says
    "remote_not_signed_in": (
        (
            "{url} wants a key, and yours is missing, unknown, expired or revoked. Sign in with: "
            "{dataagent} login {url}"
        ),
        "{url} 需要密钥,而你的密钥缺失、未知、已过期或已被撤销。请登录:{dataagent} login {url}",
    ),
    "remote_key_refused": (
        (
            "{url} does not accept this key: it is unknown, expired or revoked. Check that you "
            "have all of it, or ask for a new one."
        ),
        "{url} 不接受此密钥:未知、已过期或已被撤销。请检查是否完整,或申请新的密钥。",
    ),
    "remote_no_sources": (
        "{server} has no data sources yet. Add one in its console.",
        "{server} 还没有数据源。请在其控制台中添加。",
    ),
    "remote_denied": (
        "{url} refuses this: {text} To use another key: {dataagent} login {url}",
        "{url} 拒绝了此操作:{text} 使用其他密钥:{dataagent} login {url}",
    ),
    "remote_not_found": (
        "{url}: {text} `{dataagent} --server {url} --resume` lists your sessions there.",
        "{url}:{text} 可用 `{dataagent} --server {url} --resume` 列出你在那里的会话。",
    ),
    "remote_busy": ("{url} has no room just now: {text}", "{url} 暂时繁忙:{text}"),
    "remote_failed": (
        "{url} could not do this: {text} Its log has the reason.",
        "{url} 未能完成:{text} 原因见服务器日志。",
    ),
    "remote_away": (
        "{url} does not answer ({reason}). Is the server running, and the address right?",
        "{url} 没有响应({reason})。服务器是否在运行?地址是否正确?",
    ),
    "remote_redirect": (
        (
            "{url} sends you on to {location}. Your key is not sent there; use that address "
            "yourself if you trust it."
        ),
        "{url} 将你转到 {location}。密钥不会发送到那里;如果信任该地址,请直接使用它。",
    ),
    "remote_not_ours": (
        "{url} answers (HTTP {status}), but not as a DataAgent server. Check the address.",
        "{url} 有响应(HTTP {status}),但不是 DataAgent 服务器。请检查地址。",
    ),
    "remote_too_much": (
        "{url} sent more than {bytes:,} bytes in one answer, which is not read.",
        "{url} 的一个响应超过 {bytes:,} 字节,未予读取。",
    ),
    "remote_other_version": (
        (
            "{url} is version {theirs}, this is {ours}: some things may not be shown right. "
            "Use the same version on both sides."
        ),
        "{url} 的版本是 {theirs},本机是 {ours}:部分内容可能显示不正确。请两边使用相同版本。",
    ),
    "remote_unknown_event": (
        "the server sent {name!r}, which this version does not know. Update dataagent.",
        "服务器发送了本版本不认识的 {name!r}。请更新 dataagent。",
    ),
    # The conversation
    "remote_not_heard": ("CONNECTION LOST, trying again", "连接中断,正在重试"),
    "remote_heard_again": ("connected again", "已重新连接"),
    "remote_its_model": ("the server's model", "服务器的模型"),
    "remote_at": ("at {host}", "位于 {host}"),
    "remote_left": (
        "what runs goes on there. Back with: {dataagent} --server {url} --session {session}",
        "任务会在服务器上继续。返回:{dataagent} --server {url} --session {session}",
    ),
    "remote_warn_leaving": (
        "the agent is at work and goes on without you. Ctrl-D again leaves; Esc stops it.",
        "智能体正在工作,离开后会继续。再按一次 Ctrl-D 离开;Esc 停止任务。",
    ),
    "remote_no_line": (
        "`!` runs on this machine only; {url} has no shell for people. Ask the agent to run it.",
        "`!` 只能在本机使用;{url} 不向用户提供 shell。请让智能体执行。",
    ),
    "remote_not_told": (
        "{url} does not tell this to a terminal; its console shows it.",
        "{url} 不向终端提供此信息;请在其控制台查看。",
    ),
    "remote_no_model": (
        (
            "the server chooses the model; {model!r} was not set. An admin changes it in the "
            "assistant's settings."
        ),
        "模型由服务器选择,未设置 {model!r}。管理员可在助手设置中更改。",
    ),
    "remote_no_project": (
        "there is no project folder on the server to keep a rule in. `a` keeps it for you there.",
        "服务器上没有可保存规则的项目文件夹。`a` 会在服务器上为你保存。",
    ),
    "remote_not_with": (
        "{option} is for work on this machine; leave it out with --server.",
        "{option} 用于本机工作;使用 --server 时请去掉。",
    ),
    "remote_nothing_open": (
        "the session has no unfinished run on the server.",
        "服务器上的该会话没有未完成的任务。",
    ),
    "remote_sign_in_at": (
        "sign in at this address in a browser where you are signed in to the server:\n  {url}",
        "请在已登录该服务器的浏览器中打开此地址完成登录:\n  {url}",
    ),
    "remote_sign_in_done": ("press Enter when it is done: ", "完成后按回车:"),
}
