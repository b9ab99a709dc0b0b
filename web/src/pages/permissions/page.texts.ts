import { defineTexts } from "@/i18n";

export const pageTexts = defineTexts(
  "permissions.page",
  { title: "Permissions", hint: "What runs by itself, what asks, what is forbidden" },
  { title: "权限", hint: "哪些自动执行、哪些询问、哪些禁止" },
);
