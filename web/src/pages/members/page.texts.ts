import { defineTexts } from "@/i18n";

export const pageTexts = defineTexts(
  "members.page",
  { title: "Members", hint: "Who is in, with which role, and how they sign in" },
  { title: "成员", hint: "谁在其中、什么角色、如何登录" },
);
