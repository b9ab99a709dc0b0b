import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";
import { everyPage } from "@/api/paging";
import { useProject } from "@/pages/data/queries";

export type Question = Schemas["DataQuestionInfo"];

const KEY = ["data", "questions"];

export function useQuestions() {
  const project_id = useProject();
  return useQuery({
    queryKey: [...KEY, project_id],
    queryFn: () =>
      everyPage((after) =>
        dataOf(
          api.GET("/api/v1/data/questions", { params: { query: { project_id, after, limit: 500 } } }),
        ),
      ),
  });
}

export function useQuestion(question_id: string | null) {
  return useQuery({
    queryKey: [...KEY, "one", question_id],
    queryFn: () =>
      dataOf(
        api.GET("/api/v1/data/questions/{question_id}", {
          params: { path: { question_id: question_id ?? "" } },
        }),
      ),
    enabled: question_id !== null,
    staleTime: 60_000,
  });
}

export function useSaveQuestion() {
  const project_id = useProject();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["DataQuestionCreate"]) =>
      dataOf(api.POST("/api/v1/data/questions", { params: { query: { project_id } }, body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

export function useChangeQuestion() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ question_id, ...body }: { question_id: string } & Schemas["DataQuestionChange"]) =>
      dataOf(
        api.PATCH("/api/v1/data/questions/{question_id}", { params: { path: { question_id } }, body }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

export function useDeleteQuestion() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (question_id: string) =>
      api.DELETE("/api/v1/data/questions/{question_id}", { params: { path: { question_id } } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
