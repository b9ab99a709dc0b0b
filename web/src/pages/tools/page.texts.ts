import { defineTexts } from "@/i18n";

export const pageTexts = defineTexts(
  "tools.page",
  { title: "Tools", hint: "What the agent can do, from where, and with whose permission" },
  { title: "工具", hint: "智能体能做什么、来自哪里、由谁许可" },
);
