import { defineTexts } from "@/i18n";

export const texts = defineTexts(
  "data",
  {
    sources: "Sources",
    sql: "SQL",
    questions: "Saved questions",
    results: "Results",
    metrics: "Metrics",
    parts: "Parts of this page",
  },
  {
    sources: "数据源",
    sql: "SQL",
    questions: "已保存的问题",
    results: "结果",
    metrics: "指标",
    parts: "本页各部分",
  },
);
