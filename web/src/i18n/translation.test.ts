import { expect, test } from "vitest";
import cases from "@/i18n/data.zh.cases.json";
import tables from "@/i18n/data.zh.json";
import { translationOf } from "@/i18n/translation";

const translate = translationOf(tables);

test.each(cases)("$english", ({ english, chinese }) => {
  expect(translate(english)).toBe(chinese);
});

test("every sentence is found again with its values", () => {
  for (const { words, places, chinese } of tables.sentences) {
    const value = (name: string) => `'v${places.indexOf(name)}'`;
    const english = words.map((word, at) => word + (at < places.length ? value(places[at] ?? "") : "")).join("");
    const said = chinese.map((part) => (typeof part === "string" ? part : value(part.place))).join("");
    expect(translate(english)).toBe(said);
  }
});

test("what is too long to be a sentence stays as it is", () => {
  const text = "There is no source 'x'. ".repeat(1000);
  expect(translate(text)).toBe(text);
});
