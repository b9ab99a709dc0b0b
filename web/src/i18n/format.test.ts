import { afterEach, expect, test } from "vitest";
import { changeLanguage } from "@/i18n";
import { formatDuration } from "@/i18n/format";

afterEach(() => changeLanguage("en"));

test.each([
  [350, "350 ms", "350 毫秒"],
  [1240, "1.2 s", "1.2 秒"],
  [200_000, "3 min 20 s", "3 分 20 秒"],
  [119_700, "2 min 0 s", "2 分 0 秒"],
  [86_340_000, "23 h 59 min", "23 小时 59 分"],
])("%i ms is %s, %s", (ms, english, chinese) => {
  expect(formatDuration(ms)).toBe(english);
  changeLanguage("zh");
  expect(formatDuration(ms)).toBe(chinese);
});
