import { defineTexts } from "@/i18n";

export const patternTexts = defineTexts(
  "chat.patterns",
  {
    fits: "An earlier way of working fits ({similarity}):",
    offered: "An earlier way of working fits well ({similarity}), and is offered:",
    hint: "The agent is told of an earlier way of working ({similarity}):",
    used: "Works as before:",
    repeated: "Done in the same way so often that it can become a workflow, which needs almost no model:",
    workflow: "Follows the workflow of:",
    gone: "one that is gone, or not yours to see",
  },
  {
    fits: "匹配到以往的做法({similarity}):",
    offered: "以往的做法很匹配({similarity}),可以采用:",
    hint: "已告知智能体以往的做法({similarity}):",
    used: "沿用以往的做法:",
    repeated: "同样的做法已重复多次,可以成为几乎不需要模型的工作流:",
    workflow: "按工作流执行:",
    gone: "已删除,或你无权查看",
  },
);
