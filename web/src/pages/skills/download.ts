/** Saves a whole skill as a ZIP, as it can be installed or uploaded elsewhere. */
import type { SkillInfo } from "@/api/skills";
import { filesOf } from "@/pages/skills/queries";
import { uploadOf } from "@/pages/skills/upload/folder";

export async function downloadSkill(skill: SkillInfo): Promise<void> {
  const address = URL.createObjectURL(await uploadOf(await filesOf(skill)));
  const link = document.createElement("a");
  link.href = address;
  link.download = `${skill.name}.zip`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
