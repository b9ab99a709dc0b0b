import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, BASE_PATH, dataOf, rawFetch, type Schemas } from "@/api/client";
import { skillsKey, type SkillDetail, type SkillInfo } from "@/api/skills";
import { usePreferences } from "@/app/state/preferences";
import { NO_PROMPTS, PROMPTS_FILE, readPrompts, writePrompts, type Prompts } from "@/pages/skills/results/prompts";
import { archiveOf, uploadOf } from "@/pages/skills/upload/folder";
import type { Entry } from "@/pages/skills/upload/zip";

export type SkillVersion = Schemas["SkillVersionInfo"];

const of = (skill_id: string) => ({ params: { path: { skill_id } } });
const load = (id: string): Promise<SkillDetail> => dataOf(api.GET("/api/v1/skills/{skill_id}", of(id)));

export const useSkill = (id: string) => useQuery({ queryKey: [...skillsKey, id], queryFn: () => load(id) });

/** Checked while it is written; the last answer stays until the next is there. */
export const useValidation = (content: string) =>
  useQuery({
    queryKey: [...skillsKey, "validate", content],
    queryFn: () => dataOf(api.POST("/api/v1/skills/validate", { body: { content } })),
    enabled: content.trim() !== "",
    placeholderData: keepPreviousData,
    gcTime: 0,
  });

export const useVersions = (id: string) =>
  useQuery({
    queryKey: [...skillsKey, id, "versions"],
    queryFn: async () => (await dataOf(api.GET("/api/v1/skills/{skill_id}/versions", of(id)))).versions,
  });

export const useVersion = (skill_id: string, number: number) =>
  useQuery({
    queryKey: [...skillsKey, skill_id, "versions", number],
    queryFn: () =>
      dataOf(api.GET("/api/v1/skills/{skill_id}/versions/{number}", { params: { path: { skill_id, number } } })),
    staleTime: Infinity,
  });

export function useMatch() {
  const project_id = usePreferences((state) => state.projectId);
  return useMutation({
    mutationFn: async (message: string) =>
      (await dataOf(api.POST("/api/v1/skills/match", { body: { message, project_id, limit: 10 } }))).matches,
  });
}

export const runTest = (id: string) => dataOf(api.POST("/api/v1/skills/{skill_id}/test", of(id)));

export interface Place {
  scope: "tenant" | "project";
  project_id: string | null;
}

interface Sent extends Place {
  /** The skill of this name in its tier becomes what is sent. */
  replace?: boolean;
}

async function send(file: File, { scope, project_id, replace }: Sent): Promise<SkillDetail> {
  const body = new FormData();
  body.set("file", file);
  body.set("scope", scope);
  if (scope === "project" && project_id) body.set("project_id", project_id);
  if (replace) body.set("replace", "true");
  const answer = await rawFetch("/api/v1/skills/upload", { method: "POST", body });
  return (await answer.json()) as SkillDetail;
}

/** The test prompts of a skill, as they are stored. */
export const usePrompts = (skill: SkillDetail) =>
  useQuery({
    queryKey: [...skillsKey, skill.id, "prompts", skill.files.find(({ path }) => path === PROMPTS_FILE)?.sha256],
    queryFn: async () => {
      if (!skill.files.some(({ path }) => path === PROMPTS_FILE)) return NO_PROMPTS;
      const address = fileAddress(skill.id, PROMPTS_FILE).slice(BASE_PATH.length);
      return readPrompts(await (await rawFetch(address)).text());
    },
  });

async function sendPrompts(skill: SkillDetail, prompts: Prompts): Promise<SkillDetail> {
  const others = skill.files.filter(({ path }) => path !== PROMPTS_FILE);
  const entries = await entriesOf({ ...skill, files: others });
  entries.push(entryOf(skill, PROMPTS_FILE, new TextEncoder().encode(writePrompts(prompts))));
  const place: Place = { scope: skill.project_id ? "project" : "tenant", project_id: skill.project_id };
  return send(archiveOf(skill.name, entries), { ...place, replace: true });
}

export const skillFile = (content: string): File => new File([content], "SKILL.md", { type: "text/markdown" });

export function useSkillActions() {
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: skillsKey });
  return {
    upload: useMutation({
      mutationFn: async ({ files, ...place }: Sent & { files: readonly File[] }) => send(await uploadOf(files), place),
      onSettled,
    }),
    save: useMutation({
      mutationFn: ({ id, content }: { id: string; content: string }) =>
        dataOf(api.PUT("/api/v1/skills/{skill_id}/content", { ...of(id), body: { content } })),
      onSuccess: onSettled,
    }),
    savePrompts: useMutation({
      mutationFn: ({ skill, prompts }: { skill: SkillDetail; prompts: Prompts }) => sendPrompts(skill, prompts),
      onSuccess: onSettled,
    }),
    remove: useMutation({
      mutationFn: (id: string) => api.DELETE("/api/v1/skills/{skill_id}", of(id)),
      onSettled,
    }),
    /** An own one; those built in are disabled for the tenant. */
    turn: useMutation({
      mutationFn: ({ id, enabled }: Pick<SkillInfo, "id" | "enabled">) =>
        dataOf(api.PUT("/api/v1/skills/{skill_id}", { ...of(id), body: { enabled } })),
      onSettled,
    }),
    disable: useMutation({
      mutationFn: (skill_name: string) => api.POST("/api/v1/tenant/skills/disable", { body: { skill_name } }),
      onSettled,
    }),
    enable: useMutation({
      mutationFn: (skill_name: string) => api.POST("/api/v1/tenant/skills/enable", { body: { skill_name } }),
      onSettled,
    }),
    override: useMutation({
      /** By one that is there, or by a copy that can then be changed. */
      mutationFn: async ({ skill, by }: { skill: SkillInfo; by: string | null }) => {
        const override_skill_id = by ?? (await copyOf(skill)).id;
        const body = { skill_name: skill.name, override_skill_id };
        await api.POST("/api/v1/tenant/skills/override", { body });
        return override_skill_id;
      },
      onSettled,
    }),
  };
}

const TENANT: Place = { scope: "tenant", project_id: null };

async function copyOf(skill: SkillInfo): Promise<SkillDetail> {
  return send(archiveOf(skill.name, await entriesOf(skill)), TENANT);
}

export const fileAddress = (id: string, path: string): string =>
  `${BASE_PATH}/api/v1/skills/${encodeURIComponent(id)}/files/${path.split("/").map(encodeURIComponent).join("/")}`;

/** Below a folder of the skill's name, as it is packed. */
const entryOf = ({ name }: SkillInfo, path: string, bytes: Uint8Array, executable = false): Entry => ({
  path: `${name}/${path}`,
  bytes,
  executable,
});

/** SKILL.md and every other file of a skill, with whether it is a program. */
export async function entriesOf(skill: SkillInfo): Promise<Entry[]> {
  const { content } = await load(skill.id);
  const others = skill.files.map(async ({ path, executable }) => {
    const answer = await rawFetch(fileAddress(skill.id, path).slice(BASE_PATH.length));
    return entryOf(skill, path, new Uint8Array(await answer.arrayBuffer()), executable);
  });
  return [entryOf(skill, "SKILL.md", new TextEncoder().encode(content)), ...(await Promise.all(others))];
}
