import { expect, test } from "vitest";
import { changeLanguage, say, type Say } from "@/i18n";
import { doubtsText } from "@/pages/chat/plan/doubts";
import { planTexts } from "@/pages/chat/plan/texts";

const t: Say<keyof typeof planTexts.en> = (key, values) => say(planTexts, key, values);

test("why a plan is asked about is said in the reader's language", () => {
  changeLanguage("zh");
  try {
    expect(doubtsText("6 steps, vague: soon, maybe, confidence 70%", t)).toBe("6 个步骤; 含义不明:soon, maybe; 把握 70%");
    expect(doubtsText("confidence 70%", t)).toBe("把握 70%");
    expect(doubtsText("vague: soon", t)).toBe("含义不明:soon");
    expect(doubtsText("the moon is full", t)).toBe("the moon is full");
  } finally {
    changeLanguage("en");
  }
});
