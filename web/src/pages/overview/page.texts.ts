import { defineTexts } from "@/i18n";

export const pageTexts = defineTexts(
  "overview.page",
  { title: "Overview", hint: "What waits for you, what runs, and what there is to work with" },
  { title: "概览", hint: "等待你的事项、正在运行的任务以及可用的资源" },
);
