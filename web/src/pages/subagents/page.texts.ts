import { defineTexts } from "@/i18n";

export const pageTexts = defineTexts(
  "subagents.page",
  { title: "Sub-agents", hint: "Specialists the agent hands work to, each with its own prompt, tools and limits" },
  { title: "子智能体", hint: "智能体可委派工作的专家,各有自己的提示词、工具和限制" },
);
