import { defineTexts } from "@/i18n";

export const pageTexts = defineTexts(
  "skills.page",
  { title: "Skills", hint: "What the agent has been taught: instructions it loads when a task needs them" },
  { title: "技能", hint: "教给智能体的做法:任务需要时才加载的说明" },
);
