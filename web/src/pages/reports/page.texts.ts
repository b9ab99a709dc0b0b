import { defineTexts } from "@/i18n";

export const pageTexts = defineTexts(
  "reports.page",
  { title: "Reports", hint: "Documents of fresh data: written once, run again by hand or by the clock" },
  { title: "报告", hint: "基于最新数据的文档:编写一次,可手动或定时再次运行" },
);
