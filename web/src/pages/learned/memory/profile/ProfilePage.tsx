/** What is known of a person, as one would tell them: a few of each type, each with its source. */
import { Flex, Typography } from "antd";
import { Link } from "react-router";
import type { MemoryItem, MemoryType } from "@/api/learned/memories";
import { LinkButton } from "@/components/links/LinkButton";
import { EmptyState } from "@/components/states/EmptyState";
import { NextStep } from "@/components/states/NextStep";
import { Resource } from "@/components/states/Resource";
import { Entries } from "@/components/tables/Entries";
import { useTexts } from "@/i18n";
import { formatDay, formatNumber } from "@/i18n/format";
import { MemoryEntry } from "@/pages/learned/memory/list/MemoryEntry";
import { useProfile } from "@/pages/learned/memory/queries";
import { texts } from "@/pages/learned/memory/texts";

const SECTIONS = [
  ["preferences", "preference"],
  ["facts", "fact"],
  ["decisions", "decision"],
  ["context", "context"],
] as const;
/** A page to be read through; the rest is in the list. */
const SHOWN_MAX = 8;

export function ProfilePage() {
  const t = useTexts(texts);
  const profile = useProfile();
  return (
    <Resource
      query={profile}
      isEmpty={({ counts }) => Object.values(counts).every((count) => count === 0)}
      empty={
        <EmptyState
          title={t("profile_none")}
          action={
            <NextStep>
              <LinkButton to={`/chat?text=${encodeURIComponent(t("profile_example"))}`} type="primary">
                {t("tell")}
              </LinkButton>
            </NextStep>
          }
        >
          {t("profile_none_hint")}
        </EmptyState>
      }
    >
      {({ counts, first_at, ...known }) => (
        <Flex vertical gap={24}>
          <Typography.Text type="secondary">
            {first_at && t("profile_since", { at: formatDay(first_at) })} {t("profile_yours")}
          </Typography.Text>
          {SECTIONS.map(([section, type]) => (
            <Section key={type} type={type} memories={known[section]} count={counts[type] ?? known[section].length} />
          ))}
        </Flex>
      )}
    </Resource>
  );
}

interface SectionProps {
  type: MemoryType;
  memories: readonly MemoryItem[];
  count: number;
}

function Section({ type, memories, count }: SectionProps) {
  const t = useTexts(texts);
  if (memories.length === 0) return null;
  const title = t(`profile_${type}`);
  const shown = memories.slice(0, SHOWN_MAX);
  return (
    <section aria-label={title}>
      <Typography.Title level={2} style={{ fontSize: 16, marginTop: 0 }}>
        {title}
      </Typography.Title>
      <Entries>
        {shown.map((each) => (
          <MemoryEntry key={each.id} memory={each} withType={false} />
        ))}
      </Entries>
      {count > shown.length && (
        <Link to={`/memory/all?type=${type}`} style={{ display: "inline-block", marginTop: 8 }}>
          {t("profile_more", { count: formatNumber(count) })}
        </Link>
      )}
    </section>
  );
}
