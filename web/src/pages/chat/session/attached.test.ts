import { expect, test } from "vitest";
import { changeLanguage } from "@/i18n";
import { attachedIn, withFiles } from "@/pages/chat/session/attached";

test.each(["en", "zh"] as const)("what is attached in %s is found again, in either language", async (language) => {
  await changeLanguage(language);
  const sent = withFiles("What sold best?\n\nAnd why?", ["/uploads/a b.csv", "/uploads/表.xlsx"]);
  await changeLanguage("en");
  expect(attachedIn(sent)).toEqual({
    text: "What sold best?\n\nAnd why?",
    paths: ["/uploads/a b.csv", "/uploads/表.xlsx"],
  });
  await changeLanguage("zh");
  expect(attachedIn(sent).paths).toHaveLength(2);
  expect(attachedIn(withFiles("", ["/a.csv"]))).toEqual({ text: "", paths: ["/a.csv"] });
  await changeLanguage("en");
});

test.each(["en", "zh"] as const)("pictures and documents are named in %s so that the model sees them", async (language) => {
  await changeLanguage(language);
  const paths = ["/uploads/my shot.PNG", "/uploads/a.csv", "/uploads/paper.pdf", '/uploads/"odd".png'];
  const sent = withFiles("What is this?", paths);
  expect(sent).toContain(' @"/uploads/my shot.PNG", `/uploads/a.csv`, @"/uploads/paper.pdf", `/uploads/"odd".png`');
  expect(attachedIn(sent)).toEqual({ text: "What is this?", paths });
  await changeLanguage("en");
});

test("a message that only speaks of files keeps its words", () => {
  for (const text of ["Files in the workspace: none", "Files in the workspace: `a` and more", "Hello", ""]) {
    expect(attachedIn(text)).toEqual({ text, paths: [] });
  }
});
