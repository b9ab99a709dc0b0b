import { defineTexts } from "@/i18n";

export const pageTexts = defineTexts(
  "keys.page",
  { title: "API keys", hint: "Let programs work in your name" },
  { title: "API 密钥", hint: "让程序以你的名义工作" },
);
