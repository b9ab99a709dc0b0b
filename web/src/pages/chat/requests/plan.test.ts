import { expect, test } from "vitest";
import { changeLanguage, say, type Say } from "@/i18n";
import type { HumanRequest } from "@/pages/chat/requests/answer/answers";
import { optionTextOf } from "@/pages/chat/requests/plan";
import { requestTexts } from "@/pages/chat/requests/texts";
import { titleOf } from "@/pages/chat/requests/title";

const t: Say<keyof typeof requestTexts.en> = (key, values) => say(requestTexts, key, values);
const asked = (question_type: string | null) =>
  ({ kind: "decision", question_type, action_requests: [], options: [] }) as unknown as HumanRequest;
const option = (label: string) => ({ label, description: "As written.", recommended: false, durationMs: null });

test("a plan's ways are said in the reader's language, others as the agent wrote them", async () => {
  await changeLanguage("zh");
  try {
    expect(titleOf(asked("plan"), "local", t)).toBe("智能体提出了计划");
    expect(optionTextOf(asked("plan"), option("Accept, go ahead"), t)).toEqual({
      label: "接受,直接执行",
      description: "在规则之内自行执行。",
    });
    for (const [type, label] of [
      ["plan", "Ask my manager"],
      ["plan", "constructor"],
      ["method", "Keep planning"],
      [null, "Keep planning"],
    ] as const) {
      expect(optionTextOf(asked(type), option(label), t)).toEqual({ label, description: "As written." });
    }
  } finally {
    await changeLanguage("en");
  }
  expect(titleOf(asked("method"), "local", t)).toBe("The agent asks");
  expect(optionTextOf(asked("plan"), option("Keep planning"), t).label).toBe("Keep planning");
});
