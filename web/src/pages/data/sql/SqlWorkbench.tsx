/** Source, box, names, verdict and answer: everything for one question. */
import { CaretRightOutlined, SaveOutlined } from "@ant-design/icons";
import { App, Button, Flex, Typography } from "antd";
import { useEffect, useMemo, useRef, useState } from "react";
import { Link, useNavigate } from "react-router";
import { keyLabels } from "@/app/palette/commands";
import { EmptyState } from "@/components/states/EmptyState";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { Waiting } from "@/components/states/Waiting";
import { useTexts } from "@/i18n";
import { questionLink, RESULTS, shownSource, sourceLink } from "@/pages/data/places";
import { problemTexts } from "@/pages/data/problem.texts";
import { QueryProblem } from "@/pages/data/QueryProblem";
import { useDialect, useRun, useTables, type Ask } from "@/pages/data/queries";
import { useChangeQuestion, type Question } from "@/pages/data/questions/queries";
import { SaveQuestion } from "@/pages/data/questions/SaveQuestion";
import { texts as questionTexts } from "@/pages/data/questions/texts";
import { Answer } from "@/pages/data/sql/Answer";
import { completionsFor, inserted } from "@/pages/data/sql/completion";
import { Editor } from "@/pages/data/sql/Editor";
import { Names } from "@/pages/data/sql/Names";
import { RESULTS_SOURCE, SourceSelect } from "@/pages/data/sql/SourceSelect";
import { texts } from "@/pages/data/sql/texts";
import { Verdict } from "@/pages/data/sql/Verdict";

export interface Start {
  source: string;
  sql: string;
  chart: Record<string, unknown> | null;
  question: Question | null;
}

export function SqlWorkbench({ start }: { start: Start }) {
  const t = useTexts(texts);
  const problem = useTexts(problemTexts);
  const [source, setSource] = useState(start.source);
  const [text, setText] = useState({ sql: start.sql, cursor: start.sql.length });
  const [chart, setChart] = useState(start.chart);
  const dialect = useDialect(source);
  const tables = useTables(source);
  const run = useRun();
  const ask: Ask = { source, sql: text.sql };
  const go = (confirmed = false) => {
    if (source && text.sql.trim() && !run.isPending) run.mutate({ ...ask, confirmed });
  };
  // A saved question was opened to see its answer; in development effects run twice.
  const asked = useRef(false);
  useEffect(() => {
    if (!start.question || asked.current) return;
    asked.current = true;
    go();
  });
  const names = useMemo(
    () => completionsFor(text.sql, text.cursor, tables.data ?? [], dialect),
    [text, tables.data, dialect],
  );
  return (
    <Flex vertical gap={12}>
      {start.question && (
        <Typography.Title level={2} style={{ fontSize: 18, margin: 0 }}>
          {start.question.name}
        </Typography.Title>
      )}
      <SourceSelect value={source} change={setSource} />
      <div className="sql-desk">
        <Flex vertical gap={6}>
          <Editor
            value={text.sql}
            cursor={text.cursor}
            change={(sql, cursor) => setText({ sql, cursor })}
            run={() => go()}
          />
          <Verdict source={source} sql={text.sql} />
          <Typography.Text type="secondary" id="sql-keys">
            {t("keys", { keys: keyLabels("mod+Enter").join(" ") })}
          </Typography.Text>
          <Flex gap={8} wrap>
            <Button
              type="primary"
              icon={<CaretRightOutlined />}
              loading={run.isPending}
              disabled={!source || !text.sql.trim()}
              onClick={() => go()}
            >
              {t("run")}
            </Button>
            <Saving start={start} ask={ask} chart={chart} />
          </Flex>
        </Flex>
        {tables.error ? (
          <ErrorNotice error={tables.error} retry={() => void tables.refetch()} />
        ) : (
          <Names
            found={names}
            choose={(name) => setText(inserted(text.sql, text.cursor, name))}
          />
        )}
      </div>
      {run.error && (
        <QueryProblem
          error={run.error}
          runAnyway={() => go(true)}
          wayOut={
            // In a tab of its own: what was typed stays here.
            <Link to={source === RESULTS_SOURCE ? RESULTS : sourceLink(source)} target="_blank" rel="noopener noreferrer">
              {problem("see_tables", { source: shownSource(source) })}
            </Link>
          }
        />
      )}
      {run.isPending && <Waiting />}
      {run.isIdle && !start.question && <EmptyState title={t("empty")}>{t("empty_hint")}</EmptyState>}
      {run.data && (
        <Answer
          key={run.data.result_id}
          rows={run.data}
          chart={chart}
          first={start.chart ? "chart" : "rows"}
          onSpec={setChart}
          again={() => go()}
        />
      )}
    </Flex>
  );
}

/** A new question gets a name; one that has its own is changed where it is. */
function Saving({ start, ask, chart }: { start: Start; ask: Ask; chart: Start["chart"] }) {
  const t = useTexts(texts);
  const q = useTexts(questionTexts);
  const navigate = useNavigate();
  const { message } = App.useApp();
  const change = useChangeQuestion();
  const { question } = start;
  if (!ask.source || !ask.sql.trim()) return null;
  const same =
    question &&
    question.source === ask.source &&
    question.sql === ask.sql &&
    JSON.stringify(question.chart) === JSON.stringify(chart);
  return (
    <>
      {question && !same && (
        <Button
          icon={<SaveOutlined />}
          loading={change.isPending}
          onClick={() =>
            change.mutate(
              { question_id: question.question_id, version: question.version, ...ask, chart },
              { onSuccess: () => void message.success(t("saved")) },
            )
          }
        >
          {q("save_changes")}
        </Button>
      )}
      <SaveQuestion
        ask={ask}
        chart={chart}
        suggested={question?.name ?? shownSource(ask.source)}
        onSaved={(made) => void navigate(questionLink(made.question_id))}
      />
      {change.error && <ErrorNotice error={change.error} />}
    </>
  );
}
