import { defineTexts } from "@/i18n";

export const pageTexts = defineTexts(
  "memory.page",
  { title: "Memory", hint: "What the agent remembers of you, from where, and since when. Nobody else sees it" },
  { title: "记忆", hint: "智能体记住的关于你的内容、来源和时间。其他人看不到" },
);
