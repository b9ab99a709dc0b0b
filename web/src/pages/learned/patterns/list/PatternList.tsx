/** The patterns one may see, the last changed first; found by their state, their owner and their words. */
import { Button, Flex, Input, Select, Typography } from "antd";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { patternPath, type PatternInfo, type PatternState } from "@/api/learned/patterns";
import { Segments } from "@/components/forms/Segments";
import { LinkButton } from "@/components/links/LinkButton";
import { EmptyState } from "@/components/states/EmptyState";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { NextStep } from "@/components/states/NextStep";
import { Resource } from "@/components/states/Resource";
import { Entries, Entry } from "@/components/tables/Entries";
import { useTexts } from "@/i18n";
import { savedText, usesText } from "@/pages/learned/patterns/list/figures";
import { fits } from "@/pages/learned/patterns/list/fits";
import { PatternTags } from "@/pages/learned/patterns/list/PatternTags";
import { usePatternButtons } from "@/pages/learned/patterns/list/usePatternButtons";
import { usePatterns } from "@/pages/learned/patterns/queries";
import { texts } from "@/pages/learned/patterns/texts";

const STATES: readonly PatternState[] = ["trusted", "draft", "untrusted", "archived"];

export function PatternList() {
  const t = useTexts(texts);
  const [params, setParams] = useSearchParams();
  const [words, setWords] = useState("");
  const state = STATES.find((each) => each === params.get("state")) ?? null;
  const mine = params.get("whose") === "mine";
  const patterns = usePatterns({ state, mine });
  const choose = (name: string, value: string) => {
    const next = new URLSearchParams(params);
    if (value) next.set(name, value);
    else next.delete(name);
    setParams(next, { replace: true });
  };
  return (
    <Flex vertical gap={16}>
      <Flex gap={8} wrap role="search">
        <Input.Search
          allowClear
          aria-label={t("search")}
          placeholder={t("search")}
          value={words}
          onChange={(event) => setWords(event.target.value)}
          style={{ flex: "1 1 220px", maxWidth: 420 }}
        />
        <Select
          aria-label={t("state")}
          value={state ?? ""}
          onChange={(value) => choose("state", value)}
          style={{ minWidth: 150 }}
          options={[
            { value: "", label: t("state_all") },
            ...STATES.map((each) => ({ value: each, label: t(`state_${each}`) })),
          ]}
        />
        <Segments
          aria-label={t("whose")}
          value={mine ? "mine" : ""}
          onChange={(value) => choose("whose", value)}
          options={[
            { value: "", label: t("whose_all") },
            { value: "mine", label: t("whose_mine") },
          ]}
        />
      </Flex>
      <Resource query={patterns} empty={<NoPatterns isFiltered={state !== null || mine} />}>
        {(all) => <Found all={all} words={words} query={patterns} />}
      </Resource>
    </Flex>
  );
}

interface FoundProps {
  all: readonly PatternInfo[];
  words: string;
  query: ReturnType<typeof usePatterns>;
}

function Found({ all, words, query }: FoundProps) {
  const t = useTexts(texts);
  const shown = all.filter((each) => fits(each, words));
  return (
    <>
      {words.trim() !== "" && (
        <Typography.Text type="secondary" role="status">
          {t("found", { found: shown.length, all: all.length })}
        </Typography.Text>
      )}
      <Entries>
        {shown.map((each) => (
          <PatternEntry key={each.id} pattern={each} />
        ))}
      </Entries>
      {query.hasNextPage && (
        <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()} style={{ alignSelf: "start" }}>
          {t("more")}
        </Button>
      )}
    </>
  );
}

function NoPatterns({ isFiltered }: { isFiltered: boolean }) {
  const t = useTexts(texts);
  if (isFiltered) {
    return (
      <EmptyState title={t("none_such")} action={<LinkButton to="/patterns">{t("show_all")}</LinkButton>}>
        {t("none_such_hint")}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={t("empty")}
      action={
        <NextStep>
          <LinkButton to="/chat" type="primary">
            {t("to_chat")}
          </LinkButton>
        </NextStep>
      }
    >
      {t("empty_hint")}
    </EmptyState>
  );
}

function PatternEntry({ pattern }: { pattern: PatternInfo }) {
  const t = useTexts(texts);
  const { buttons, error, dialog } = usePatternButtons(pattern);
  const saved = savedText(pattern, t);
  return (
    <Entry
      title={
        <Flex gap={8} wrap align="center" component="span">
          <Link to={patternPath(pattern.id)}>{pattern.name}</Link>
          <PatternTags pattern={pattern} />
        </Flex>
      }
      line={
        <>
          {pattern.description && pattern.description !== pattern.name && <div>{pattern.description}</div>}
          <div>{usesText(pattern, t)}</div>
          {saved && <div>{saved}</div>}
        </>
      }
      actions={buttons}
    >
      {error && <ErrorNotice error={error} />}
      {dialog}
    </Entry>
  );
}
