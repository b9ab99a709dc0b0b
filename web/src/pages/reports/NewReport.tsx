/** A new report: from a saved question, from a template, or from nothing. */
import { useQuery } from "@tanstack/react-query";
import { Button, Flex, Select, Typography } from "antd";
import { useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { api, dataOf } from "@/api/client";
import { everyPage } from "@/api/paging";
import { usePreferences } from "@/app/state/preferences";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { Segments } from "@/components/forms/Segments";
import { Waiting } from "@/components/states/Waiting";
import { useTexts } from "@/i18n";
import { DefinitionBox } from "@/pages/reports/DefinitionBox";
import { useFirstTable } from "@/pages/reports/firstTable";
import { useCreateReport } from "@/pages/reports/queries";
import { blank, fromQuestion, overview } from "@/pages/reports/templates";
import { texts } from "@/pages/reports/texts";

type Start = "question" | "overview" | "blank";

export function NewReport() {
  const projectId = usePreferences((preferences) => preferences.projectId);
  const project_id = projectId ?? undefined;
  const questions = useQuery({
    queryKey: ["reports", "questions", project_id],
    queryFn: () =>
      everyPage((after) =>
        dataOf(api.GET("/api/v1/data/questions", { params: { query: { project_id, after, limit: 500 } } })),
      ),
  });
  const table = useFirstTable(project_id);
  if (questions.isPending || table.isPending) return <Waiting />;
  return <Beginning questions={questions.data ?? []} data={table.data ?? null} />;
}

type Question = Parameters<typeof fromQuestion>[0] & { question_id: string };

interface Props {
  questions: Question[];
  data: { source: string; table: string } | null;
}

function Beginning({ questions, data }: Props) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const asked = useSearchParams()[0].get("question");
  const told = { title: t("new"), intro: t("intro"), ...(data ?? { source: "shop", table: "orders" }) };
  const write = (start: Start, id: string | null): string => {
    const question = questions.find((each) => each.question_id === id) ?? questions[0];
    if (start === "question" && question) return fromQuestion(question);
    return start === "overview" ? overview(told) : blank(told);
  };
  const first: Start = questions.length ? "question" : "overview";
  const [start, setStart] = useState<Start>(first);
  const [questionId, setQuestionId] = useState(asked ?? questions[0]?.question_id ?? null);
  const [definition, setDefinition] = useState(() => write(first, questionId));
  const create = useCreateReport();
  const begin = (next: Start, id: string | null) => {
    setStart(next);
    setQuestionId(id);
    setDefinition(write(next, id));
  };
  return (
    <Flex vertical gap={12}>
      <Link to="/reports">← {t("all")}</Link>
      <Typography.Title level={2} style={{ fontSize: 18, margin: 0 }}>
        {t("new")}
      </Typography.Title>
      <Flex gap={8} wrap align="center">
        <span>{t("start_from")}</span>
        <Segments
          value={start}
          aria-label={t("start_from")}
          onChange={(next) => begin(next, questionId)}
          options={[
            ...(questions.length ? [{ value: "question" as const, label: t("start_question") }] : []),
            { value: "overview" as const, label: t("start_overview") },
            { value: "blank" as const, label: t("start_blank") },
          ]}
        />
        {start === "question" && (
          <Select
            value={questionId}
            aria-label={t("start_question_choose")}
            style={{ minWidth: 200, maxWidth: "100%" }}
            showSearch={{ optionFilterProp: "label" }}
            options={questions.map((each) => ({ value: each.question_id, label: each.name }))}
            onChange={(id) => begin("question", id)}
          />
        )}
      </Flex>
      <DefinitionBox value={definition} change={setDefinition} />
      {create.error && <ErrorNotice error={create.error} />}
      <div>
        <Button
          type="primary"
          loading={create.isPending}
          disabled={!definition.trim()}
          onClick={() =>
            create.mutate(definition, { onSuccess: (made) => void navigate(`/reports/${made.report_id}`) })
          }
        >
          {t("create")}
        </Button>
      </div>
    </Flex>
  );
}
