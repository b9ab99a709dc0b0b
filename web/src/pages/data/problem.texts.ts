import { defineTexts } from "@/i18n";

export const problemTexts = defineTexts(
  "data.problem",
  {
    expensive: "Not run yet: this looks expensive.",
    expensive_rows: "Not run yet: about {count} rows would have to be read.",
    expensive_next: "It may take long and slow the source down for others. Ask for less, or run it anyway.",
    run_anyway: "Run it anyway",
    see_tables: "See the tables and columns of {source} (opens a new tab)",
    sql_next: "Open it as SQL",
    ask_sql: "Ask with SQL instead",
  },
  {
    expensive: "尚未运行:该查询开销较大。",
    expensive_rows: "尚未运行:大约需要读取 {count} 行。",
    expensive_next: "这可能耗时较长,并拖慢数据源、影响其他人。请缩小查询范围,或仍然运行。",
    run_anyway: "仍然运行",
    see_tables: "查看 {source} 的表和列(在新标签页中打开)",
    sql_next: "以 SQL 打开",
    ask_sql: "改用 SQL 查询",
  },
);
