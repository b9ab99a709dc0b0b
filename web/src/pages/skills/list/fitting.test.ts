import { expect, test } from "vitest";
import type { SkillInfo } from "@/api/skills";
import { fitting } from "@/pages/skills/list/fitting";

const skill = (name: string, display_name: string, description: string, tags: string[] = []) =>
  ({ name, display_name, description, tags }) as SkillInfo;

const SKILLS = [
  skill("code-review", "代码审查", "Reviews a change", ["quality"]),
  skill("report-writing", "report-writing", "Writes a monthly report"),
];

test.each([
  ["", ["code-review", "report-writing"]],
  ["审查", ["code-review"]],
  ["Monthly  WRITES", ["report-writing"]],
  ["quality", ["code-review"]],
  ["code monthly", []],
])("%s finds %j", (query, names) => {
  expect(fitting(SKILLS, query).map((each) => each.name)).toEqual(names);
});
