import { defineTexts } from "@/i18n";

export const pageTexts = defineTexts(
  "projects.page",
  { title: "Projects", hint: "Groups of chats with data, files and a model of their own" },
  { title: "项目", hint: "拥有各自数据、文件和模型的对话分组" },
);
