import { useQuery } from "@tanstack/react-query";
import { everyPage } from "@/api/paging";
import { api, dataOf } from "@/api/client";

export const projectsKey = ["projects"];

export const useProjects = () =>
  useQuery({
    queryKey: projectsKey,
    queryFn: () =>
      everyPage((after) =>
        dataOf(api.GET("/api/v1/projects", { params: { query: { after, limit: 100 } } })),
      ),
    staleTime: 60_000,
  });
