import { defineTexts } from "@/i18n";

export const settingsTexts = defineTexts(
  "chat.header.settings",
  {
    title: "Settings of this session",
    save: "Save",
    agent_mode: "Way of working",
    react: "Step by step: thinks, acts and looks, until it is done",
    staged: "In stages: reasons, plans, executes, reviews",
    max_concurrent_steps: "Steps of a plan that may run side by side",
    timeout: "Time to make a plan, in seconds",
    number: "Give a number.",
    learning: "Learns from what is done here",
    learning_hint: "What is done again and again may be offered as a pattern.",
  },
  {
    title: "此会话的设置",
    save: "保存",
    agent_mode: "工作方式",
    react: "逐步:思考、行动、观察,直到完成",
    staged: "分阶段:推理、规划、执行、审查",
    max_concurrent_steps: "计划中可并行的步骤数",
    timeout: "制定计划的时间(秒)",
    number: "请填写数字。",
    learning: "从此处的工作中学习",
    learning_hint: "反复进行的工作可作为模式提供。",
  },
);
