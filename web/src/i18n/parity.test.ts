import { expect, test } from "vitest";
import { catalogues } from "@/i18n";

import.meta.glob("../**/*texts.ts", { eager: true });

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1]).sort();

test("every catalogue has a name of its own", () => {
  const names = catalogues.map((each) => each.name);
  expect(names.length).toBeGreaterThan(0);
  expect(new Set(names).size).toBe(names.length);
});

test("a model's tokens have one Chinese word; those of a sign-in have another", () => {
  const signIn = new Set(["mcp"]);
  for (const { name, zh } of catalogues) {
    if (signIn.has(name)) continue;
    for (const [key, text] of Object.entries(zh)) expect(text, `${name} ${key}`).not.toMatch(/令牌|词元/);
  }
});

test.each(catalogues)("$name: both languages say the same things", ({ en, zh }) => {
  expect(Object.keys(zh).sort()).toEqual(Object.keys(en).sort());
  for (const key of Object.keys(en)) {
    const [english, chinese] = [en[key] ?? "", zh[key] ?? ""];
    expect(chinese.trim(), key).not.toBe("");
    expect(placeholders(chinese), key).toEqual(placeholders(english));
    // A sentence that is the same in both languages is not translated.
    if (/[a-z]+ [a-z]+ [a-z]+/.test(english)) expect(chinese, key).not.toBe(english);
  }
});
