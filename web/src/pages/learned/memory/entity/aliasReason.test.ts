import { expect, test } from "vitest";
import { say } from "@/i18n";
import { aliasReason } from "@/pages/learned/memory/entity/aliasReason";
import { texts } from "@/pages/learned/memory/texts";

const inChinese = (key: keyof typeof texts.zh, values = {}) => say(texts, key, { lng: "zh", ...values });

test.each([
  ["its name before", "曾用名"],
  ["similar name (0.92)", "名称相似,0.92"],
  ["constructor", "constructor"],
])("the reason %j of an alias is said as %s", (reason, said) => {
  expect(aliasReason(reason, inChinese)).toBe(said);
});
