import { afterEach, expect, test } from "vitest";
import { ApiError, messageOf, nextStep, errorTextOf } from "@/api/errors";
import { codeTexts, errorTexts } from "@/api/errors.texts";
import { changeLanguage } from "@/i18n";
import { loadDataTexts } from "@/i18n/dataTexts";

afterEach(() => changeLanguage("en"));
const gone = new ApiError("NOT_FOUND", "There is no project 'p'.", 404);

test("in English the server's words say it, in Chinese its code does with those words as the detail", () => {
  expect(errorTextOf(gone)).toEqual({ title: "There is no project 'p'.", detail: null });
  changeLanguage("zh");
  expect(errorTextOf(gone)).toEqual({ title: codeTexts.zh.NOT_FOUND, detail: "There is no project 'p'." });
  expect(messageOf(gone)).toBe(`${codeTexts.zh.NOT_FOUND} There is no project 'p'.`);
  expect(nextStep(gone)).toBe(errorTexts.zh.NOT_FOUND_next);
});

test("what a data tool says is said in Chinese once its sentences are there", async () => {
  const hidden = new ApiError("QUERY_REFUSED", "There is no table 'ordes'. Did you mean 'orders'?", 400);
  changeLanguage("zh");
  await loadDataTexts();
  expect(errorTextOf(hidden)).toEqual({ title: "没有表 'ordes'。您是否想写 'orders'?", detail: null });
  changeLanguage("en");
  expect(messageOf(hidden)).toBe("There is no table 'ordes'. Did you mean 'orders'?");
});

test("what keeps a skill from being stored is said with its place, in Chinese too", async () => {
  const message = "`name` is missing. Write it, the same as the folder is called.";
  const problems = [{ message, line: 2, column: 3, is_warning: false }];
  const refused = new ApiError("VALIDATION_ERROR", `The skill cannot be used: line 2, column 3: ${message}`, 422, { problems });
  expect(messageOf(refused)).toBe(refused.message);
  changeLanguage("zh");
  await loadDataTexts();
  expect(messageOf(refused)).toBe("无法使用该技能:第 2 行第 3 列:缺少 `name`。请写上,与文件夹同名。");
});

test("a code nobody knows yet is shown in the server's words, no words by the code", () => {
  changeLanguage("zh");
  expect(messageOf(new ApiError("NEW_ONE", "Something new.", 400))).toBe("Something new.");
  changeLanguage("en");
  expect(messageOf(new ApiError("TIMEOUT", "", 504))).toBe(codeTexts.en.TIMEOUT);
  expect(messageOf(new ApiError("NEW_ONE", "", 400))).toBe("NEW_ONE");
});

test("nobody answered: that is said in the language of now, whatever the browser called it", () => {
  changeLanguage("zh");
  expect(messageOf(new ApiError("UNREACHABLE", "TypeError: Failed to fetch"))).toBe(errorTexts.zh.unreachable);
});
