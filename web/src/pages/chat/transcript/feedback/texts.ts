import { defineTexts } from "@/i18n";

export const feedbackTexts = defineTexts(
  "chat.feedback",
  {
    label: "Feedback",
    up: "Helpful",
    down: "Not helpful",
    correct: "Say what should have been different",
    correction: "What should have been different? Patterns take it over.",
    send: "Send it",
    cancel: "Cancel",
    rated_up: "Rated as helpful",
    rated_down: "Rated as not helpful",
    by: "by {who}",
  },
  {
    label: "反馈",
    up: "有帮助",
    down: "没有帮助",
    correct: "说明应当怎样做",
    correction: "应当怎样做?模式会采纳。",
    send: "发送",
    cancel: "取消",
    rated_up: "评价:有帮助",
    rated_down: "评价:没有帮助",
    by: "评价人:{who}",
  },
);
