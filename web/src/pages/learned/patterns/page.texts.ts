import { defineTexts } from "@/i18n";

export const pageTexts = defineTexts(
  "patterns.page",
  { title: "Interaction patterns", hint: "Ways of working that led to a result, learned from your chats" },
  { title: "交互模式", hint: "从对话中学到的、取得过成果的做法" },
);
