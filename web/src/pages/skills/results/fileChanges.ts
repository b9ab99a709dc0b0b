/** Which files two versions of a skill do not share: other bytes, or a program in only one of them. Pure. */
import type { Schemas } from "@/api/client";

type SkillFile = Pick<Schemas["SkillFileInfo"], "path" | "sha256" | "executable">;

export interface FileChange {
  path: string;
  kind: "added" | "removed" | "changed";
}

/** In the order of their paths: a file that moved is removed in one place and added in another. */
export function fileChanges(before: readonly SkillFile[], after: readonly SkillFile[]): FileChange[] {
  const [old, now] = [digestsOf(before), digestsOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((path) => old.get(path) !== now.get(path))
    .toSorted()
    .map((path) => ({ path, kind: !old.has(path) ? "added" : now.has(path) ? "changed" : "removed" }));
}

const digestsOf = (files: readonly SkillFile[]) =>
  new Map(files.map(({ path, sha256, executable }) => [path, `${sha256} ${String(executable)}`]));
