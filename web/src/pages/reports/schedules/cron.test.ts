import { expect, test } from "vitest";
import { say } from "@/i18n";
import { choiceOf, cronOf, cronWords } from "@/pages/reports/schedules/cron";
import { texts } from "@/pages/reports/schedules/texts";

const t = (key: keyof typeof texts.en, values?: Record<string, string | number>) => say(texts, key, values);
const words = (cron: string) => cronWords(cron, t, "en");

test.each(["0 * * * *", "30 8 * * *", "0 8 * * 1-5", "0 8 * * 1,4", "15 6 28 * *", "*/15 9-17 * * 1-5"])(
  "%s is the same after it was chosen from",
  (cron) => {
    expect(cronOf(choiceOf(cron))).toBe(cron);
  },
);

test("common lines are said in words", () => {
  expect(words("0 8 * * 1-5")).toBe("Monday to Friday at 08:00");
  expect(words("5 17 * * *")).toBe("every day at 17:05");
  expect(words("0 9 * * 1,7")).toBe("every Monday and Sunday at 09:00");
  expect(words("0 6 1 * *")).toBe("on day 1 of each month at 06:00");
  expect(words("7 * * * *")).toBe("every hour at minute 7");
  expect(words("*/10 * * * *")).toBe("every 10 minutes");
});

test("others are said field by field, and what is no line is not said at all", () => {
  expect(words("0 8 1 1 *")).toBe("at minute 0, hour 8, day 1, month 1, weekday any");
  expect(words("0 8 *")).toBeNull();
});
