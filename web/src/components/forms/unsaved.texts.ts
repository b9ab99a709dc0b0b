import { defineTexts } from "@/i18n";

export const unsavedTexts = defineTexts(
  "components.unsaved",
  {
    kept: "Not saved yet. This browser keeps it.",
    not_kept: "Not saved yet, and this browser has no room to keep it: save before you leave.",
    stale: "The stored one has changed since you began. Saving replaces it.",
    discard: "Discard",
    discard_ask: "Discard what you typed?",
    cancel: "Cancel",
  },
  {
    kept: "尚未保存,已暂存在此浏览器中。",
    not_kept: "尚未保存,此浏览器也没有空间暂存:离开前请先保存。",
    stale: "在您编辑期间,已保存的内容有了变化。保存会替换它。",
    discard: "放弃更改",
    discard_ask: "要放弃已输入的内容吗?",
    cancel: "取消",
  },
);
