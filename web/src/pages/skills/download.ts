/** Saves a whole skill as a ZIP, as it can be installed or uploaded elsewhere. */
import type { SkillInfo } from "@/api/skills";
import { entriesOf } from "@/pages/skills/queries";
import { archiveOf } from "@/pages/skills/upload/folder";

export async function downloadSkill(skill: SkillInfo): Promise<void> {
  const address = URL.createObjectURL(archiveOf(skill.name, await entriesOf(skill)));
  const link = document.createElement("a");
  link.href = address;
  link.download = `${skill.name}.zip`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
