/** The questions that were saved: open one and it runs. */
import { BarChartOutlined, DeleteOutlined, FileTextOutlined } from "@ant-design/icons";
import { Button, Flex, Input, Popconfirm, Tag, Typography } from "antd";
import { useState } from "react";
import { EmptyState } from "@/components/states/EmptyState";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { GuardedLink } from "@/components/links/GuardedLink";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { formatAgo } from "@/i18n/format";
import { Entry, Entries } from "@/components/tables/Entries";
import { LinkButton } from "@/components/links/LinkButton";
import { questionLink, shownSource, SOURCES } from "@/pages/data/places";
import { useDeleteQuestion, useQuestions, type Question } from "@/pages/data/questions/queries";
import { texts } from "@/pages/data/questions/texts";

const SEARCHED_FROM = 8;

export function QuestionsPage() {
  const t = useTexts(texts);
  const questions = useQuestions();
  const [words, setWords] = useState("");
  return (
    <Resource
      query={questions}
      empty={
        <EmptyState
          title={t("empty")}
          action={
            <LinkButton to={SOURCES} type="primary">{t("empty_do")}</LinkButton>
          }
        >
          {t("empty_hint")}
        </EmptyState>
      }
    >
      {(all) => {
        const found = all
          .filter((question) => question.name.toLowerCase().includes(words.trim().toLowerCase()))
          .sort((a, b) => b.updated_at.localeCompare(a.updated_at));
        return (
          <Flex vertical gap={12}>
            {all.length > SEARCHED_FROM && (
              <Input.Search
                value={words}
                placeholder={t("search")}
                aria-label={t("search")}
                allowClear
                style={{ maxWidth: 360 }}
                onChange={(event) => setWords(event.target.value)}
              />
            )}
            {found.length === 0 && <Typography.Text>{t("found_none")}</Typography.Text>}
            <Entries>
              {found.map((question) => (
                <QuestionEntry key={question.question_id} question={question} />
              ))}
            </Entries>
          </Flex>
        );
      }}
    </Resource>
  );
}

function QuestionEntry({ question }: { question: Question }) {
  const t = useTexts(texts);
  const remove = useDeleteQuestion();
  return (
    <Entry
      title={<GuardedLink to={questionLink(question.question_id)}>{question.name}</GuardedLink>}
      line={
        <>
          {t("of", { source: shownSource(question.source) })} ·{" "}
          {t("changed", { when: formatAgo(question.updated_at) })}{" "}
          {question.chart && <Tag icon={<BarChartOutlined />}>{t("with_chart")}</Tag>}
        </>
      }
      actions={
        <>
          <LinkButton to={`/reports/new?question=${question.question_id}`} size="small" icon={<FileTextOutlined />}>{t("report")}</LinkButton>
          <Popconfirm
            title={t("remove_ask", { name: question.name })}
            description={t("remove_hint")}
            okText={t("remove")}
            onConfirm={() => remove.mutate(question.question_id)}
          >
            <Button
              size="small"
              danger
              icon={<DeleteOutlined />}
              aria-label={`${t("remove")} ${question.name}`}
              loading={remove.isPending}
            />
          </Popconfirm>
        </>
      }
    >
      {remove.error && <ErrorNotice error={remove.error} />}
    </Entry>
  );
}
