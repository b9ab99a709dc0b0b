/** One table: its rows, a chart of it, what its columns hold, what they are. */
import { BarChartOutlined, ConsoleSqlOutlined } from "@ant-design/icons";
import { Button, Flex, Tabs, Typography } from "antd";
import { useSearchParams } from "react-router";
import { LinkButton } from "@/components/links/LinkButton";
import { ReadNotes } from "@/components/readings/ReadNotes";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { TableChart } from "@/pages/data/charts/TableChart";
import { previewSql } from "@/pages/data/charts/writeSql";
import { sqlLink, tableName } from "@/pages/data/places";
import { useDescribed, useDialect, type Described } from "@/pages/data/queries";
import { ReadingButton } from "@/pages/data/sources/ReadingButton";
import { ColumnsTab } from "@/pages/data/tables/ColumnsTab";
import { Preview } from "@/pages/data/tables/Preview";
import { Profile } from "@/pages/data/tables/Profile";
import { Size } from "@/pages/data/tables/SourcePage";
import { texts } from "@/pages/data/tables/texts";
import { Trail } from "@/pages/data/tables/Trail";

export function TablePage() {
  const [query] = useSearchParams();
  const source = query.get("source") ?? "";
  const table = query.get("table") ?? "";
  const described = useDescribed(source, table);
  return (
    <Flex vertical gap={12}>
      <Trail source={source} table={table} />
      <Resource query={described}>
        {(found) => <TableTabs key={`${source} ${table}`} source={source} described={found} />}
      </Resource>
    </Flex>
  );
}

function TableTabs({ source, described }: { source: string; described: Described }) {
  const t = useTexts(texts);
  const [query, setQuery] = useSearchParams();
  const dialect = useDialect(source);
  const { table } = described;
  const tab = query.get("tab") ?? "preview";
  const show = (next: string) =>
    setQuery({ source, table: tableName(table), tab: next }, { replace: true });
  const preview = previewSql({ schema: table.schema, name: table.name, dialect });
  return (
    <>
      <Flex justify="space-between" align="center" gap={8} wrap>
        <div>
          <Typography.Title level={2} style={{ fontSize: 18, margin: 0, overflowWrap: "break-word" }}>
            {tableName(table)}
          </Typography.Title>
          <Typography.Text type="secondary">
            <Size table={table} /> {table.comment}
          </Typography.Text>
        </div>
        <Flex gap={8} wrap>
          <Button type="primary" icon={<BarChartOutlined />} onClick={() => show("chart")}>
            {t("make_chart")}
          </Button>
          <LinkButton to={sqlLink(source, preview)} icon={<ConsoleSqlOutlined />}>{t("ask_sql")}</LinkButton>
          <ReadingButton source={source} />
        </Flex>
      </Flex>
      <ReadNotes notes={table.notes ?? []} of={{ source }} />
      <Tabs
        activeKey={tab}
        onChange={show}
        destroyOnHidden={false}
        items={[
          { key: "preview", label: t("preview"), children: <Preview source={source} sql={preview} total={table.rows} /> },
          { key: "chart", label: t("chart"), children: <TableChart source={source} dialect={dialect} described={described} /> },
          { key: "profile", label: t("profile"), children: <Profile described={described} /> },
          { key: "columns", label: t("columns_tab"), children: <ColumnsTab columns={table.columns} /> },
        ]}
      />
    </>
  );
}
