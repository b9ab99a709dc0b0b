import { defineTexts } from "@/i18n";

export const planTexts = defineTexts(
  "chat.plan",
  {
    plan: "Plan",
    done_of: "{done} of {all}",
    show: "Show the plan",
    hide: "Hide the plan",
    pending: "to do",
    in_progress: "in progress",
    begun: "begun",
    left: "not finished",
    completed: "done",
    failed: "failed",
    cancelled: "cancelled",
  },
  {
    plan: "计划",
    done_of: "{done}/{all}",
    show: "显示计划",
    hide: "隐藏计划",
    pending: "待办",
    in_progress: "进行中",
    begun: "已开始",
    left: "未完成",
    completed: "已完成",
    failed: "失败",
    cancelled: "已取消",
  },
);
