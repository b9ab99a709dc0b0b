/** The SQL box; with `?question=` a saved question is loaded into it and asked at once. */
import { useSearchParams } from "react-router";
import { EmptyState } from "@/components/states/EmptyState";
import { LinkButton } from "@/components/links/LinkButton";
import { Resource } from "@/components/states/Resource";
import { Waiting } from "@/components/states/Waiting";
import { useTexts } from "@/i18n";
import { SOURCES } from "@/pages/data/places";
import { useQuestion } from "@/pages/data/questions/queries";
import { SqlWorkbench } from "@/pages/data/sql/SqlWorkbench";
import { useAskable } from "@/pages/data/sql/SourceSelect";
import { texts } from "@/pages/data/sql/texts";

export function SqlPage() {
  const [query] = useSearchParams();
  const questionId = query.get("question");
  const question = useQuestion(questionId);
  const askable = useAskable();
  const t = useTexts(texts);
  if (questionId) {
    return (
      <Resource query={question}>
        {(found) => (
          <SqlWorkbench
            key={`${found.question_id} ${found.version}`}
            start={{ source: found.source, sql: found.sql, chart: found.chart, question: found }}
          />
        )}
      </Resource>
    );
  }
  if (askable.pending) return <Waiting />;
  const first = askable.named[0] ?? askable.files[0];
  if (!first) {
    return (
      <EmptyState
        title={t("no_source")}
        action={
          <LinkButton to={SOURCES} type="primary">{t("no_source_do")}</LinkButton>
        }
      >
        {t("no_source_hint")}
      </EmptyState>
    );
  }
  const source = query.get("source") ?? first;
  return (
    <SqlWorkbench
      key={query.toString()}
      start={{ source, sql: query.get("sql") ?? "", chart: null, question: null }}
    />
  );
}
