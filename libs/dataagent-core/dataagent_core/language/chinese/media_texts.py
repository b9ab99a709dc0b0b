"""Why a picture or a PDF is not shown to a model, or not whole: English, Chinese."""

MEDIA_TEXTS: dict[str, str] = {
    "{path} is not shown to the model: {why}": "模型看不到 {path}:{why:said}",
    "{path} is given as text: {why}": "{path} 以文本形式提供:{why:said}",
    "{why} Nor is its text: {reason}": "{why:said}其文本也无法提供:{reason:said}",
    # The model and its provider
    "the model {model} takes no PDF documents.": "模型 {model} 不接受 PDF 文档。",
    "the model {model} takes no pictures.": "模型 {model} 不接受图片。",
    (
        "Choose a model that does. If this one does, say so in config.toml: "
        '[models."{model}"] capabilities = ["chat", "tools", "{word}"].'
    ): (
        "请选择接受它的模型。如果此模型接受,请在 config.toml 中写明:"
        '[models."{model}"] capabilities = ["chat", "tools", "{word}"]。'
    ),
    "the provider refused it: {why}": "提供方拒绝了它:{why}",
    # What is too large
    "it has {bytes} bytes, and {limit} can be shown. Make it smaller.": (
        "它有 {bytes} 字节,最多可显示 {limit} 字节。请将其缩小。"
    ),
    "it has {bytes} bytes, and {limit} can be shown. Cut it into parts.": (
        "它有 {bytes} 字节,最多可显示 {limit} 字节。请将其拆分。"
    ),
    "it has {pages} pages, and {limit} can be shown. Cut it into parts.": (
        "它有 {pages} 页,最多可显示 {limit} 页。请将其拆分。"
    ),
    "it has more than {count} million pixels. Make it smaller first.": (
        "它超过 {count} 百万像素。请先将其缩小。"
    ),
    "no smaller form of it has at most {bytes} bytes.": "缩小后仍超过 {bytes} 字节。",
    # A picture
    "its content is no picture of a format that can be shown (PNG, JPEG, GIF, WebP and BMP).": (
        "其内容不是可显示格式的图片(PNG、JPEG、GIF、WebP 和 BMP)。"
    ),
    "the picture is damaged or cut off.": "图片已损坏或不完整。",
    "the picture cannot be opened within {seconds} s and {bytes} bytes of memory.": (
        "无法在 {seconds} 秒和 {bytes} 字节内存之内打开该图片。"
    ),
    # A PDF
    "its content is no whole PDF document: it is damaged or cut off.": (
        "其内容不是完整的 PDF 文档:已损坏或不完整。"
    ),
    "the document is protected by a password.": "该文档受密码保护。",
    "the document is encrypted.": "该文档已加密。",
    "its text cannot be read within {seconds} s and {bytes} bytes of memory.": (
        "无法在 {seconds} 秒和 {bytes} 字节内存之内读取其文本。"
    ),
    "no page of it holds text: it may be a scan.": "没有一页含有文本:可能是扫描件。",
    "Only a part of {read} of {pages} pages.": "仅为 {pages} 页中 {read} 页的一部分。",
    "{count} of {pages} pages cannot be read.": "{pages} 页中有 {count} 页无法读取。",
}
