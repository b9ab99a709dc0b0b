/** Searches the memories, as they are or as they were at a moment; each result says which leg gave how much. */
import { Alert, Flex, Input, Typography } from "antd";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { Segments } from "@/components/forms/Segments";
import { LinkButton } from "@/components/links/LinkButton";
import { EmptyState } from "@/components/states/EmptyState";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { useDataText } from "@/i18n/dataTexts";
import { formatDuration, formatTime } from "@/i18n/format";
import { useMemorySearch, useProfile, type SearchRequest } from "@/pages/learned/memory/queries";
import { AsOf } from "@/pages/learned/memory/search/AsOf";
import { earliest, spanOf } from "@/pages/learned/memory/search/asOf";
import { Result } from "@/pages/learned/memory/search/Result";
import { texts } from "@/pages/learned/memory/texts";

const SEARCH_TYPES = ["hybrid", "semantic", "keyword"] as const;
const QUERY_CHARS_MAX = 2_000;

export function MemorySearch() {
  const t = useTexts(texts);
  const [params, setParams] = useSearchParams();
  const [now] = useState(() => Date.now());
  const query = params.get("q") ?? "";
  const [typed, setTyped] = useState(query);
  const search_type = SEARCH_TYPES.find((each) => each === params.get("by")) ?? "hybrid";
  const at = Number(params.get("at")) || null;
  const profile = useProfile();
  const span = spanOf(profile.data && earliest(profile.data), now);
  const choose = (name: string, value: string) => {
    const next = new URLSearchParams(params);
    if (value) next.set(name, value);
    else next.delete(name);
    setParams(next, { replace: true });
  };
  return (
    <Flex vertical gap={16}>
      <Flex gap={12} wrap role="search">
        <Input.Search
          allowClear
          enterButton
          aria-label={t("search")}
          placeholder={t("search_example")}
          maxLength={QUERY_CHARS_MAX}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onSearch={(text) => choose("q", text.trim())}
          style={{ flex: "1 1 260px", maxWidth: 520 }}
        />
        <Segments
          aria-label={t("search_by")}
          value={search_type}
          onChange={(value) => choose("by", value === "hybrid" ? "" : value)}
          options={SEARCH_TYPES.map((value) => ({ value, label: t(`by_${value}`), title: t(`by_${value}_hint`) }))}
        />
      </Flex>
      {span && <AsOf span={span} value={at} choose={(moment) => choose("at", moment === null ? "" : String(moment))} />}
      {query ? (
        <Results body={{ query, search_type, ...(at && { as_of: new Date(at).toISOString() }) }} />
      ) : (
        <EmptyState title={t("search_none")}>{t("search_none_hint")}</EmptyState>
      )}
    </Flex>
  );
}

function Results({ body }: { body: SearchRequest }) {
  const t = useTexts(texts);
  const said = useDataText();
  const found = useMemorySearch(body);
  const when = body.as_of ? t("as_of_then", { at: formatTime(body.as_of) }) : t("as_of_now");
  return (
    <Resource
      query={found}
      isEmpty={({ results, problem }) => results.length === 0 && !problem}
      empty={<NothingFound when={when} />}
    >
      {({ results, took_ms, embedder, fusion, problem }) => (
        <section aria-label={t("results")} aria-busy={found.isPlaceholderData}>
          {problem && <Alert type="warning" showIcon title={said(problem)} style={{ marginBottom: 12 }} />}
          <Typography.Text type="secondary" role="status">
            {[t("found", { count: results.length, when }), formatDuration(took_ms), t(`fusion_${fusion}`), embedder]
              .filter(Boolean)
              .join(" · ")}
          </Typography.Text>
          <ol className="memory-results">
            {results.map((each) => (
              <Result key={each.memory.id} found={each} best={results[0]?.score ?? 1} />
            ))}
          </ol>
          {results.length === 0 && <NothingFound when={when} />}
        </section>
      )}
    </Resource>
  );
}

function NothingFound({ when }: { when: string }) {
  const t = useTexts(texts);
  return (
    <EmptyState title={t("found_none", { when })} action={<LinkButton to="/memory/all?past=1">{t("show_all")}</LinkButton>}>
      {t("found_none_hint")}
    </EmptyState>
  );
}
