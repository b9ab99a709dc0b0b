/** What happened to an entity, the newest first: what began, what ended, who said something of it. */
import { Timeline, Typography } from "antd";
import { Link } from "react-router";
import type { Schemas } from "@/api/client";
import { eventPath } from "@/api/learned/memories";
import { memoryTexts } from "@/components/memories/texts";
import { EmptyState } from "@/components/states/EmptyState";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { formatTime } from "@/i18n/format";
import { useTimeline } from "@/pages/learned/memory/graph/queries";
import { TellSomething } from "@/pages/learned/memory/TellSomething";
import { texts } from "@/pages/learned/memory/texts";

const COLOURS = { began: "green", ended: "red", mentioned: "gray" } as const;

export function EntityTimeline({ view }: { view: Schemas["EntityDetail"] }) {
  const t = useTexts(texts);
  const timeline = useTimeline(view.entity.id);
  const episodes = new Map(view.mentions.map((each) => [each.id, each]));
  return (
    <Resource
      query={timeline}
      isEmpty={({ items }) => items.length === 0}
      empty={
        <EmptyState title={t("timeline_none")} action={<TellSomething about={view.entity.name} />}>
          {t("timeline_none_hint")}
        </EmptyState>
      }
    >
      {({ items }) => (
        <Timeline
          items={items.toReversed().map(({ at, kind, text, episode_id }, index) => ({
            key: index,
            color: COLOURS[kind],
            content: (
              <>
                <div style={{ overflowWrap: "break-word" }}>{text}</div>
                <Typography.Text type="secondary">
                  {t(`timeline_${kind}`)} · {formatTime(at)}
                  <EpisodeLink episode={episode_id ? episodes.get(episode_id) : undefined} />
                </Typography.Text>
              </>
            ),
          }))}
        />
      )}
    </Resource>
  );
}

function EpisodeLink({ episode }: { episode: Schemas["EpisodeInfo"] | undefined }) {
  const m = useTexts(memoryTexts);
  if (!episode?.source.session_id) return null;
  const { session_id, seq_first } = episode.source;
  return (
    <>
      {" · "}
      <Link to={eventPath(session_id, seq_first)} style={{ textDecoration: "underline" }}>
        {m("open_source")}
      </Link>
    </>
  );
}
