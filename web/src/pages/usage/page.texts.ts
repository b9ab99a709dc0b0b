import { defineTexts } from "@/i18n";

export const pageTexts = defineTexts(
  "usage.page",
  { title: "Usage", hint: "Tokens and money by day, person, project and chat; budgets" },
  { title: "用量", hint: "按日、人员、项目和对话统计的 token 与费用;预算" },
);
