import { defineTexts } from "@/i18n";

export const pageTexts = defineTexts(
  "audit.page",
  { title: "Audit log", hint: "What was changed, by whom, and whether the record is whole" },
  { title: "审计日志", hint: "何人更改了什么,以及记录是否完整" },
);
