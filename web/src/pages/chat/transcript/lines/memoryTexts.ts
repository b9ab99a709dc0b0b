import { defineTexts } from "@/i18n";

export const memoryLineTexts = defineTexts(
  "chat.transcript.memory",
  {
    recalled: "Recalled: {content}",
    added: "Remembered: {content}",
    merged: "Known already: {content}",
    replaced: "Remembered, in place of what was true before: {content}",
    refused: "Not remembered: {reason}",
    retired: "Wrong, and not used any more: {content}",
    forgotten: "Forgotten",
  },
  {
    recalled: "回忆起:{content}",
    added: "已记住:{content}",
    merged: "已有此记忆:{content}",
    replaced: "已记住,取代以前的内容:{content}",
    refused: "未记住:{reason}",
    retired: "有误,不再使用:{content}",
    forgotten: "已忘记",
  },
);
