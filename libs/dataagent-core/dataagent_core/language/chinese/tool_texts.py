"""What the data tools' own lines say around their data: English, Chinese."""

TOOL_TEXTS: dict[str, str] = {
    "{result}: {count}. Types: {types}": "{result}: {count:said}。类型:{types}",
    "(Note: {note})": "(注意:{note:said})",
    "Note: {note}.": "注意:{note:said}。",
    "Drew {title!r} from {result}.": "已由 {result} 画出 {title}。",
    "Wrote {count} to {path}": "已将 {count:said}写入 {path}",
    "Wrote the report {title!r}.": "已写出报告 {title}。",
}
