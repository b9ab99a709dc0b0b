/** What conversations were read for: how far each piece is, and why some was not learned. */
import { RedoOutlined } from "@ant-design/icons";
import { Button, Flex, Select, Tag, Typography } from "antd";
import { useSearchParams } from "react-router";
import { SourceLine } from "@/components/memories/SourceLine";
import { LinkButton } from "@/components/links/LinkButton";
import { EmptyState } from "@/components/states/EmptyState";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { Resource } from "@/components/states/Resource";
import { Entries, Entry } from "@/components/tables/Entries";
import { useTexts } from "@/i18n";
import { useDataText } from "@/i18n/dataTexts";
import { formatNumber } from "@/i18n/format";
import { useEpisodes, useRetryEpisode, type Episode } from "@/pages/learned/memory/queries";
import { TellSomething } from "@/pages/learned/memory/TellSomething";
import { texts } from "@/pages/learned/memory/texts";

const STATES: readonly Episode["state"][] = ["failed", "received", "extracted", "linked", "synced"];
const COLOURS = { failed: "red", received: undefined, extracted: "blue", linked: "blue", synced: "green" } as const;

const CHARS_SHOWN = 200;

export function EpisodeList() {
  const t = useTexts(texts);
  const [params, setParams] = useSearchParams();
  const asked = params.get("state") ?? "failed";
  const state = STATES.find((each) => each === asked) ?? null;
  const episodes = useEpisodes(state);
  return (
    <Flex vertical gap={16}>
      <Typography.Text type="secondary">{t("episodes_hint")}</Typography.Text>
      <Select
        aria-label={t("state")}
        value={state ?? "any"}
        onChange={(value) => setParams({ state: value }, { replace: true })}
        style={{ width: 220 }}
        options={[
          ...STATES.map((each) => ({ value: each, label: t(`episode_${each}`) })),
          { value: "any", label: t("episode_any") },
        ]}
      />
      <Resource query={episodes} empty={<NoEpisodes state={state} />}>
        {(all) => (
          <>
            <Entries>
              {all.map((each) => (
                <EpisodeEntry key={each.id} episode={each} />
              ))}
            </Entries>
            {episodes.hasNextPage && (
              <Button loading={episodes.isFetchingNextPage} onClick={() => void episodes.fetchNextPage()} style={{ alignSelf: "start" }}>
                {t("more")}
              </Button>
            )}
          </>
        )}
      </Resource>
    </Flex>
  );
}

function NoEpisodes({ state }: { state: Episode["state"] | null }) {
  const t = useTexts(texts);
  const isFailed = state === "failed";
  return (
    <EmptyState
      title={t(isFailed ? "episodes_none_failed" : "episodes_none")}
      action={state === null ? <TellSomething /> : <LinkButton to="/memory/episodes?state=any">{t("episode_any")}</LinkButton>}
    >
      {t(isFailed ? "episodes_none_failed_hint" : "episodes_none_hint")}
    </EmptyState>
  );
}

function EpisodeEntry({ episode }: { episode: Episode }) {
  const t = useTexts(texts);
  const said = useDataText();
  const retry = useRetryEpisode();
  const { content, source, state, reason, attempts, created_at } = episode;
  const lines = content.trim().split("\n");
  return (
    <Entry
      title={
        <Flex gap={8} wrap align="center" component="span">
          <span style={{ minWidth: 0, overflowWrap: "break-word" }}>{lines[0]?.slice(0, CHARS_SHOWN)}</span>
          <Tag color={COLOURS[state]}>{t(`episode_${state}`)}</Tag>
        </Flex>
      }
      line={
        <>
          {reason && <div>{t("episode_reason", { reason: said(reason), count: formatNumber(attempts) })}</div>}
          <SourceLine source={source} at={created_at} text={lines[0] ?? ""} />
        </>
      }
      actions={
        state === "failed" && (
          <Button size="small" icon={<RedoOutlined />} loading={retry.isPending} onClick={() => retry.mutate(episode.id)}>
            {t("again")}
          </Button>
        )
      }
    >
      {retry.error && <ErrorNotice error={retry.error} />}
    </Entry>
  );
}
