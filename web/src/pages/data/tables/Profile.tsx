/** What each column holds, seen on a sample: a card each, the frequent values as small bars. */
import { Card, Tag, Typography } from "antd";
import { useTexts } from "@/i18n";
import { formatNumber, formatPercent } from "@/i18n/format";
import type { Described } from "@/pages/data/queries";
import { texts } from "@/pages/data/tables/texts";
import "@/pages/data/tables/profile.css";

type Seen = Described["profile"][number];

const TOP_SHOWN = 6;

export function Profile({ described }: { described: Described }) {
  const t = useTexts(texts);
  const kinds = new Map(described.table.columns.map((column) => [column.name, column.kind]));
  return (
    <>
      <Typography.Paragraph type="secondary">
        {t(described.profile.every((seen) => seen.is_whole) ? "profile_of_all" : "profile_of")}
      </Typography.Paragraph>
      <div className="profile">
        {described.profile.map((seen) => (
          <ColumnCard key={seen.name} seen={seen} kind={kinds.get(seen.name) ?? ""} />
        ))}
      </div>
    </>
  );
}

function ColumnCard({ seen, kind }: { seen: Seen; kind: string }) {
  const t = useTexts(texts);
  const top = seen.top.map(([value, count]) => ({ value: String(value), count: Number(count) }));
  const about = seen.is_whole ? "" : "~";
  const most = Math.max(1, ...top.map(({ count }) => count));
  return (
    <Card
      size="small"
      title={
        <span className="profile-name" title={seen.name}>
          {seen.name}
        </span>
      }
      extra={<Tag>{kind}</Tag>}
    >
      <dl className="profile-facts">
        {seen.nulls_fraction !== null && (
          <Fact label={t("nulls")} value={about + formatPercent(seen.nulls_fraction)} />
        )}
        {seen.distinct !== null && <Fact label={t("distinct")} value={`~${formatNumber(seen.distinct)}`} />}
        {seen.mean !== null && <Fact label={t("mean")} value={about + formatNumber(seen.mean)} />}
        {seen.minimum !== null && <Fact label={t("range")} value={ends(seen)} />}
      </dl>
      {top.length > 0 && (
        <ul className="profile-top" aria-label={t("top")}>
          {top.slice(0, TOP_SHOWN).map(({ value, count }) => (
            <li key={value}>
              <span className="profile-bar" style={{ width: `${(100 * count) / most}%` }} aria-hidden />
              <span className="profile-value">{value === "" ? "“”" : value}</span>
              <span>{(seen.is_whole ? "" : "≥ ") + formatNumber(count)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** The least of a sample is at least the least of all. */
const ends = ({ minimum, maximum, is_whole }: Seen) =>
  is_whole ? `${minimum} … ${maximum ?? ""}` : `≤ ${minimum} … ≥ ${maximum ?? ""}`;

const Fact = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </div>
);
