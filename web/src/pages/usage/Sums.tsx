/** The lines of a report, with names for ids. */
import { Table, type TableColumnsType } from "antd";
import { Link } from "react-router";
import { isAdmin, useMe } from "@/api/me";
import { usePeople, useTitles } from "@/api/names";
import { useProjects } from "@/api/projects";
import { useTexts } from "@/i18n";
import { useCost } from "@/i18n/cost.texts";
import { formatMoney, formatNumber, formatPercent } from "@/i18n/format";
import type { By, Usage } from "@/pages/usage/queries";
import { texts } from "@/pages/usage/texts";

export function Sums({ by, lines }: { by: By; lines: Usage[] }) {
  const t = useTexts(texts);
  const admin = isAdmin(useMe());
  const nameOf = useNames(by, admin);
  const cost = useCost();
  const columns: TableColumnsType<Usage> = [
    {
      title: t(`by_${by as "day"}`),
      render: (_, line) =>
        by === "session" && line.name ? (
          <Link to={`/chat/${line.name}`}>{nameOf(line.name)}</Link>
        ) : (
          nameOf(line.name)
        ),
    },
    number(t("calls"), (line) => line.calls),
    number(t("input"), (line) => line.input_tokens),
    number(t("output"), (line) => line.output_tokens),
    {
      title: t("cached"),
      align: "end",
      render: (_, line) => formatPercent(line.cached_share),
    },
    {
      title: t("cost"),
      align: "end",
      render: (_, line) => {
        if (line.cost !== null) return formatMoney(line.cost);
        const told = cost({ known: line.known_cost, partly: true });
        if (by !== "model" || !admin || !line.name) return told;
        return (
          <>
            {told} · <Link to="/models">{t("set_price")}</Link>
          </>
        );
      },
    },
  ];
  return (
    <Table<Usage>
      rowKey="name"
      size="small"
      columns={columns}
      dataSource={by === "day" ? lines.toReversed() : lines.toSorted((a, b) => b.total_tokens - a.total_tokens)}
      pagination={false}
      scroll={{ x: "max-content" }}
      style={{ marginBottom: 12 }}
    />
  );
}

const number = (title: string, pick: (line: Usage) => number): TableColumnsType<Usage>[number] => ({
  title,
  align: "end",
  sorter: (a, b) => pick(a) - pick(b),
  render: (_, line) => formatNumber(pick(line)),
});

function useNames(by: By, admin: boolean): (id: string) => string {
  const t = useTexts(texts);
  const people = usePeople(admin && by === "user");
  const projects = useProjects();
  const titles = useTitles(admin);
  return (id) => {
    if (!id) return t(by === "model" ? "unnamed" : "nobody");
    if (by === "user") {
      const person = people.data?.find((each) => each.user_id === id);
      return person?.display_name || person?.username || id;
    }
    if (by === "project") return projects.data?.find((each) => each.project_id === id)?.name ?? id;
    if (by === "session") return titles.data?.get(id) || t("untitled");
    return id;
  };
}
