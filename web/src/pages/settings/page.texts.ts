import { defineTexts } from "@/i18n";

export const pageTexts = defineTexts(
  "settings.page",
  { title: "Settings", hint: "Your name, password, language and colours" },
  { title: "设置", hint: "你的名称、密码、语言和配色" },
);
