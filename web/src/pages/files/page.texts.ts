import { defineTexts } from "@/i18n";

export const pageTexts = defineTexts(
  "files.page",
  { title: "Files", hint: "The workspaces your agents read from and write to" },
  { title: "文件", hint: "智能体读写的工作区" },
);
