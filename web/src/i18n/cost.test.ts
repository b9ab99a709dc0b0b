import { expect, test } from "vitest";
import { say, type Say } from "@/i18n";
import { costText, costTexts } from "@/i18n/cost.texts";

const t: Say<keyof typeof costTexts.en> = (key, values) => say(costTexts, key, values);

test("what has no price costs an unknown amount, not nothing", () => {
  expect(costText({ known: 0, partly: true }, t)).toBe("price unknown");
  expect(costText({ known: 2, partly: true }, t)).toMatch(/^at least .*2\.00$/);
  expect(costText({ known: 0, partly: false }, t)).toMatch(/0\.00$/);
});
