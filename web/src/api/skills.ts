/** The skills of the tenant and the project of now; pages of skills and of sub-agents list them. */
import { useQuery } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";
import { usePreferences } from "@/app/state/preferences";

export type SkillInfo = Schemas["SkillInfo"];
export type SkillDetail = Schemas["SkillDetail"];
export type SkillScope = SkillInfo["scope"];
export type SkillProblem = Schemas["SkillProblemInfo"];

export const skillsKey = ["skills"];

/** All three tiers, whatever is disabled or overridden. */
export function useSkills() {
  const project_id = usePreferences((state) => state.projectId) ?? undefined;
  return useQuery({
    queryKey: [...skillsKey, "all", project_id],
    queryFn: async () => (await dataOf(api.GET("/api/v1/skills", { params: { query: { project_id } } }))).skills,
  });
}
