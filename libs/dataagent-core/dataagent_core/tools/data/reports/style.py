"""How a report's HTML looks, on a screen and on paper."""

STYLE = """
*{box-sizing:border-box}
body{margin:0;background:#f4f5f7;color:#1f2328;
font:16px/1.6 "Noto Sans SC",system-ui,-apple-system,"Segoe UI","PingFang SC",
"Microsoft YaHei","Noto Sans CJK SC",sans-serif}
main{max-width:56rem;margin:2rem auto;padding:2.5rem 3rem;background:#fff;
border-top:4px solid var(--accent);box-shadow:0 1px 3px #0002}
h1{margin:0;font-size:1.9rem;line-height:1.25}
h2{margin:2.2rem 0 .6rem;font-size:1.35rem;color:var(--accent)}
h3{margin:1.6rem 0 .4rem;font-size:1.1rem}
h4,h5,h6{margin:1.2rem 0 .3rem;font-size:1rem}
.made,.note,footer{color:#59636e;font-size:.85rem}
.made{margin:.4rem 0 1.6rem}
.note{margin:.3rem 0;overflow-wrap:anywhere}
footer{margin-top:3rem;padding-top:.8rem;border-top:1px solid #e4e7eb}
.table{overflow-x:auto;margin:1rem 0}
table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:.3rem 0}
th,td{padding:.35rem .6rem;border-bottom:1px solid #e4e7eb;text-align:left;vertical-align:top}
th{border-bottom:2px solid #c7ccd1;white-space:nowrap}
th.right,td.right{text-align:right}
tbody tr:nth-child(even){background:#f8f9fa}
figure{margin:1.4rem 0}
figcaption{font-weight:600}
.chart svg{max-width:100%;height:auto}
.figures{display:flex;flex-wrap:wrap;gap:1rem;margin:1.2rem 0}
.one{flex:1 1 10rem;padding:.8rem 1rem;background:#f4f7fa;border-left:3px solid var(--accent)}
.label{color:#59636e;font-size:.85rem}
.value{font-size:1.6rem;line-height:1.3;font-variant-numeric:tabular-nums}
pre{padding:.8rem 1rem;background:#f6f8fa;overflow-x:auto;font-size:.85rem;line-height:1.45}
code{font-family:ui-monospace,"SF Mono",Consolas,"DejaVu Sans Mono",monospace,
"Noto Sans SC";font-size:.92em}
blockquote{margin:1rem 0;padding:.1rem 1rem;border-left:3px solid #c7ccd1;color:#59636e}
a{color:var(--accent)}
@media print{body{background:#fff}main{margin:0;padding:0;max-width:none;box-shadow:none;
border-top:0}.break{break-after:page}thead{display:table-header-group}tr,figure{break-inside:avoid}}
""".replace("\n", "")
