/** Which skills a search means: those with all its words in what is known of them. Pure. */
import type { SkillInfo } from "@/api/skills";

export function fitting(skills: readonly SkillInfo[], query: string): SkillInfo[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return skills.filter((skill) => {
    const { name, display_name, description, tags } = skill;
    const known = [name, display_name, description, ...tags].join(" ").toLowerCase();
    return words.every((word) => known.includes(word));
  });
}
