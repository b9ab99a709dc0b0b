import { defineTexts } from "@/i18n";

export const pageTexts = defineTexts(
  "activity.page",
  { title: "Activity", hint: "What ran, how long it took and what it used" },
  { title: "活动", hint: "运行了什么、用时多久、用量多少" },
);
