"""What a chart shows otherwise than asked, and why one cannot be drawn: English, Chinese."""

CHART_TEXTS: dict[str, str] = {
    # Shown otherwise
    "drawn as {drawn} and not as {asked}: {why}": ("画成{drawn:said}而不是{asked:said}:{why:said}"),
    "a {name} cannot be drawn here, so this is another chart": (
        "这里不能画{name:said},因此是另一种图"
    ),
    (
        "not understood and not used: {words}; the columns are {columns}, and every row is drawn "
        "(filter in the query)"
    ): "未能理解,因此未采用:{words};可用的列是 {columns},所有行都已画出(请在查询中过滤)",
    "only {column} is drawn: {others} would need a chart of its own beside it": (
        "只画了 {column}:{others} 需要另外单独的图"
    ),
    "{name} is put together ({how}) where rows share {shared}": (
        "{shared} 相同的行,其 {name} 已合并({how:said})"
    ),
    "left out: {count} row{_s} without {column}": "{count} 行没有 {column},未画出",
    "left out: {count} row{_s} without both numbers": "{count} 行缺少两个数字之一,未画出",
    "{count} empty values of {column} are left out": "{column} 有 {count} 个空值,未画出",
    "not drawn as shares: several numbers have no common whole": (
        "未画成占比:多个数值没有共同的总体"
    ),
    "not drawn as shares: a {how} is no part of a whole": "未画成占比:{how:said}不是总体的一部分",
    "not drawn as shares: there are negative values": "未画成占比:有负值",
    "not drawn as shares: a whole is zero": "未画成占比:有总体为零",
    "not drawn as shares: this kind of chart shows single values": (
        "未画成占比:这种图显示的是单个值"
    ),
    "of {count} names the {shown} with most values are shown": (
        "{count} 个名称中只显示值最多的 {shown} 个"
    ),
    "quartiles are drawn, not the {how}": "画的是四分位数,而不是{how:said}",
    "{count} values lie outside the whiskers; the {shown} farthest from zero are drawn": (
        "{count} 个值在须线之外;只画出离零最远的 {shown} 个"
    ),
    "every value is drawn, not only the {count} greatest": "画出了所有值,而不只是最大的 {count} 个",
    "drawn from {shown} of {count} rows, evenly spaced; aggregate in the query to see all": (
        "由 {count} 行中均匀抽取的 {shown} 行画成;要看全部请在查询中聚合"
    ),
    "the result was cut at {count} rows: more are not in it": (
        "结果在 {count} 行处截断:更多的行不在其中"
    ),
    "{column} is shown by {grain}: there are too many points": (
        "{column} 按{grain:said}显示:数据点太多"
    ),
    "{column} is not shown: a pie is cut by one column": "未显示 {column}:饼图只按一列划分",
    "of {count} values of {column} the {shown} greatest are shown, {others}": (
        "{column} 的 {count} 个值中显示最大的 {shown} 个,{others:said}"
    ),
    # Not drawn
    "There is nothing to draw: {column} and its number are empty in every row.": (
        "没有可画的内容:每一行的 {column} 及其数值都为空。"
    ),
    "There is nothing to draw: no row has both {x} and {y}.": (
        "没有可画的内容:没有一行同时有 {x} 和 {y}。"
    ),
    "{column} has fewer than two values: one figure is better said than drawn.": (
        "{column} 不足两个值:单个数字直接说出即可,不必画图。"
    ),
    (
        "{column} has {count} value: one figure is better said than drawn. Select a category or a "
        "time beside it."
    ): "{column} 只有 {count} 个值:单个数字直接说出即可。请再选一个类别或时间列。",
    "{result} has no rows, so there is nothing to draw.": "{result} 没有行,没有可画的内容。",
    (
        "{result} has nothing to draw: no number, time or category among {columns}. Select such "
        "columns, or count rows in the query."
    ): "{result} 没有可画的内容:{columns} 中没有数字、时间或类别。请选择这样的列,或在查询中计数。",
    "{result} has no column {name}. {near} It has: {columns}.": (
        "{result} 没有列 {name}。{near:said} 它有:{columns}。"
    ),
    (
        "Points need two number columns, and {result} has {count}. Use a histogram, or select a "
        "second number."
    ): "散点图需要两个数字列,而 {result} 有 {count} 个。请用直方图,或再选一个数字列。",
    "x and y are both {column}; give two columns, or leave one out.": (
        "x 和 y 都是 {column};请给出两列,或省略其一。"
    ),
    (
        "{column} cannot be measured: it is no number. Numbers in {result}: {numbers}. Or use "
        "aggregate 'count' to count rows."
    ): ("{column} 不是数字,不能度量。{result} 中的数字列:{numbers}。也可用聚合 'count' 计行数。"),
    "A heatmap needs two columns to lay out: give x and color.": (
        "热力图需要两列来排布:请给出 x 和 color。"
    ),
    "A pie cannot show negative values. Use a bar chart, which can (kind 'bar').": (
        "饼图不能显示负值。请用柱状图(kind 'bar')。"
    ),
    "A pie cannot show zeros only. Use a bar chart, which can.": ("饼图不能只显示零。请用柱状图。"),
    "The chart cannot be drawn: {problem}.": "无法画出该图:{problem:said}。",
    "The report cannot be typeset: {problem}.": "无法排版该报告:{problem:said}。",
    # A spec of its own
    (
        "The channel {name} is not available. {near} Use x, y, color, size, shape, row, column, "
        "text, tooltip or order."
    ): (
        "不能使用通道 {name}。{near:said} 请用 x、y、color、size、shape、row、column、"
        "text、tooltip 或 order。"
    ),
    "The mark {name} is not available. {near} Marks: {marks}.": (
        "不能使用标记 {name}。{near:said} 可用的标记:{marks}。"
    ),
    (
        "The transform with {keys} is not available. Use one of {transforms}, or transform in the "
        "query."
    ): "不能使用带 {keys} 的变换。请用 {transforms} 之一,或在查询中变换。",
    (
        "{key} in {place} is not available. {near} Use mark, encoding, transform, layer, facet, "
        "hconcat or vconcat."
    ): (
        "不能在 {place} 中使用 {key}。{near:said} 请用 mark、encoding、transform、layer、"
        "facet、hconcat 或 vconcat。"
    ),
    "{place} must be a list, and is {value}.": "{place} 必须是列表,而它是 {value}。",
    "{place} must be an object, and is {value}.": "{place} 必须是对象,而它是 {value}。",
    (
        "A formula cannot hold {sign}: {formula}. Use arithmetic, comparisons and functions over "
        "datum.column."
    ): "公式中不能有 {sign}:{formula}。请对 datum.column 使用算术、比较和函数。",
    "A formula has {count} characters, {most} are possible. Compute it in the query.": (
        "公式有 {count} 个字符,上限为 {most}。请在查询中计算。"
    ),
    "`datum` in {formula} must be followed by a column: datum.name or datum['name'].": (
        "{formula} 中的 `datum` 后面必须是列:datum.name 或 datum['name']。"
    ),
    (
        "{name} is not available in a chart's formula ({formula}). {near} Columns are written "
        "datum.name; compute the rest in the query."
    ): (
        "图的公式({formula})中不能使用 {name}。{near:said} 列请写成 datum.name;其余请在查询中计算。"
    ),
    (
        "The spec adds rows up, and {result} has {count} rows; {most} are possible. Aggregate in "
        "the query, or give an intent instead of a spec: then every row is counted."
    ): (
        "该规格会汇总各行,而 {result} 有 {count} 行,上限为 {most}。"
        "请在查询中聚合,或用文字描述代替规格,这样每一行都会计入。"
    ),
    (
        "The spec names no column, so nothing of the result would be drawn. Set a field in its "
        "encoding; there are: {columns}."
    ): "该规格没有指定列,不会画出结果中的任何内容。请在 encoding 中设置字段;可用:{columns}。",
    "The spec has more than {most} formulas. Compute in the query.": (
        "该规格的公式超过 {most} 个。请在查询中计算。"
    ),
    "{key} has {count} characters, {most} are possible.": "{key} 有 {count} 个字符,上限为 {most}。",
    (
        "{key} in {place} is not allowed: a chart's data is its result's, it fetches nothing and "
        "reacts to nothing. Leave it out."
    ): "{place} 中不允许 {key}:图的数据只来自其结果,不获取外部内容,也不响应操作。请去掉它。",
    "{key} is {value}; 0 to {most} is possible.": "{key} 为 {value};允许 0 至 {most}。",
    (
        "{value} under {key} points elsewhere. A chart shows only its result: use a plain colour "
        "or text."
    ): "{key} 下的 {value} 指向别处。图只显示其结果:请用普通颜色或文字。",
    (
        "The spec has {count} bytes, {most} are possible. Leave data out: it comes from the result."
    ): "该规格有 {count} 字节,上限为 {most}。请去掉数据:数据来自结果。",
    (
        "The spec has {count} values, {deep} deep; {most} and {deep_max} are possible. Draw less "
        "in one chart."
    ): "该规格有 {count} 个值,{deep} 层深;上限为 {most} 个和 {deep_max} 层。请减少一张图的内容。",
    "The spec is no JSON ({error}). Send a Vega-Lite object.": (
        "该规格不是 JSON({error:said})。请发送 Vega-Lite 对象。"
    ),
    "The chart's SVG declares a document type; it is not shown.": (
        "图的 SVG 声明了文档类型;不予显示。"
    ),
    (
        "The chart's SVG has {count} bytes, more than {most}. Draw fewer marks: aggregate in the "
        "query, or leave categories out."
    ): "图的 SVG 有 {count} 字节,超过 {most}。请减少标记:在查询中聚合,或去掉一些类别。",
    "The chart's SVG holds <{name}>; it is not shown.": "图的 SVG 含有 <{name}>;不予显示。",
    "The chart's SVG holds {name}={value}; it is not shown.": (
        "图的 SVG 含有 {name}={value};不予显示。"
    ),
}
