import { defineTexts } from "@/i18n";

export const chatMemoryTexts = defineTexts(
  "chat.memories",
  {
    used: "Used {count} memories",
    used_one: "Used a memory",
    used_label: "Memories this answer used",
    used_gone: "One that was forgotten, or is not yours to see",
    added: "Remembered:",
    merged: "Known already:",
    replaced: "Remembered, in place of what was true before:",
    refused: "Not remembered: {reason}",
    retired: "Wrong, and not used any more:",
    merged_other: "It was known already",
    retired_other: "A memory is wrong, and not used any more",
    forgotten: "Something was forgotten",
  },
  {
    used: "使用了 {count} 条记忆",
    used_one: "使用了 1 条记忆",
    used_label: "此答案使用的记忆",
    used_gone: "已忘记,或你无权查看",
    added: "已记住:",
    merged: "已有此记忆:",
    replaced: "已记住,取代以前的内容:",
    refused: "未记住:{reason}",
    retired: "有误,不再使用:",
    merged_other: "已有此记忆",
    retired_other: "有一条记忆有误,不再使用",
    forgotten: "有内容已被忘记",
  },
);
