import { defineTexts } from "@/i18n";

export const homePageTexts = defineTexts(
  "home.page",
  { title: "Start", hint: "Leads to the chat" },
  { title: "首页", hint: "前往对话" },
);
