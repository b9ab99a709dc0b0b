/** How the text files of a source are read: of a named source, or of a file of one's workspace. */
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";
import { usePreferences } from "@/app/state/preferences";

export type Reading = Schemas["ReadingInfo"];
export type ReadingChange = Schemas["ReadingChange"];

interface Place {
  source: string;
  project: string | undefined;
}

const named = async ({ source, project }: Place): Promise<Schemas["DataSourceInfo"] | undefined> =>
  (
    await dataOf(api.GET("/api/v1/data/sources", { params: { query: { project_id: project } } }))
  ).items.find((each) => each.name === source);

async function findReading(place: Place): Promise<Reading> {
  const found = await named(place);
  if (found) return found.reading;
  const query = { path: place.source };
  return (await dataOf(api.GET("/api/v1/data/files/reading", { params: { query } }))).reading;
}

async function chooseReading(place: Place, change: ReadingChange): Promise<Reading> {
  const found = await named(place);
  if (!found) {
    const query = { path: place.source };
    return (await dataOf(api.PATCH("/api/v1/data/files/reading", { params: { query }, body: change }))).reading;
  }
  const params = { path: { name: found.name }, query: { project_id: found.project_id ?? undefined } };
  return (
    await dataOf(api.PATCH("/api/v1/data/sources/{name}", { params, body: { reading: change } }))
  ).reading;
}

const useProject = (): string | undefined =>
  usePreferences((preferences) => preferences.projectId) ?? undefined;

export function useReading(source: string) {
  const project = useProject();
  return useQuery(
    queryOptions({
      queryKey: ["data", "reading", project, source],
      queryFn: () => findReading({ source, project }),
    }),
  );
}

/** Everything that was read the other way is read anew; kept results stay what they were. */
export function useChooseReading() {
  const project = useProject();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ source, change }: { source: string | (() => Promise<string>); change: ReadingChange }) =>
      chooseReading({ source: typeof source === "string" ? source : await source(), project }, change),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["data"] }),
  });
}
