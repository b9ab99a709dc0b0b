/** The SQL box; with `?question=` a saved question is loaded into it and asked at once. */
import { useSearchParams } from "react-router";
import { EmptyState } from "@/components/EmptyState";
import { LinkButton } from "@/components/LinkButton";
import { Resource } from "@/components/Resource";
import { Waiting } from "@/components/Waiting";
import { useTexts } from "@/i18n";
import { SOURCES } from "../places";
import { useQuestion } from "../questions/queries";
import { Desk } from "./Desk";
import { useAskable } from "./SourceSelect";
import { texts } from "./texts";

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
          <Desk
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
    <Desk
      key={query.toString()}
      start={{ source, sql: query.get("sql") ?? "", chart: null, question: null }}
    />
  );
}
