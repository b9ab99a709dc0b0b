import { defineTexts } from "@/i18n";

export const chatPageTexts = defineTexts(
  "chat.page",
  { title: "Chat", hint: "Ask the agent, see it work, decide" },
  { title: "对话", hint: "向智能体提问,查看过程,作出决定" },
);
