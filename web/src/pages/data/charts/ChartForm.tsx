/** The columns of a chart in their places, each a choice; what does not fit is not offered. */
import {
  AreaChartOutlined,
  BarChartOutlined,
  DotChartOutlined,
  LineChartOutlined,
  PieChartOutlined,
} from "@ant-design/icons";
import { Flex, Form, Input, Select } from "antd";
import type { ReactNode } from "react";
import { Segments } from "@/components/forms/Segments";
import { useTexts } from "@/i18n";
import { colourable, grainFor, aggregateFor } from "@/pages/data/charts/chooseWish";
import { texts } from "@/pages/data/charts/texts";
import "@/pages/data/charts/charts.css";
import { AGGREGATES, GRAINS, groups, MARKS, roleOf, type ChartColumn, type Wish } from "@/pages/data/charts/wish";

interface Props {
  wish: Wish;
  columns: ChartColumn[];
  /** The default title. */
  autoTitle: string;
  withoutMedian?: boolean;
  change: (wish: Wish) => void;
}

const ROWS = "";
const ICONS: Record<Wish["mark"], ReactNode> = {
  bar: <BarChartOutlined aria-hidden />,
  line: <LineChartOutlined aria-hidden />,
  area: <AreaChartOutlined aria-hidden />,
  point: <DotChartOutlined aria-hidden />,
  arc: <PieChartOutlined aria-hidden />,
};

export function ChartForm({ wish, columns, autoTitle, withoutMedian = false, change }: Props) {
  const t = useTexts(texts);
  const put = (part: Partial<Wish>) => change({ ...wish, ...part });
  const numbers = columns.filter((column) => roleOf(column) === "number");
  const axis = columns.filter((column) => roleOf(column) !== "other");
  const chooseX = (x: string) => {
    const column = columns.find((each) => each.name === x);
    const time = column !== undefined && roleOf(column) === "time";
    put({ x, grain: time ? grainFor(column) : null });
  };
  const chooseY = (y: string) =>
    put(
      y === ROWS
        ? { y: null, aggregate: "count" }
        : { y, aggregate: wish.aggregate === "count" ? aggregateFor(y) : wish.aggregate },
    );
  const chooseMark = (mark: Wish["mark"]) =>
    put({ mark, ...(mark === "point" && !wish.y ? { y: numbers[0]?.name ?? null } : {}) });
  const named = (column: ChartColumn) => ({ value: column.name, label: column.name });
  return (
    <Form layout="vertical" component="div" aria-label={t("form")}>
      <Form.Item label={`${t("mark")}: ${t(`mark_${wish.mark}`)}`}>
        <Segments
          block
          value={wish.mark}
          onChange={chooseMark}
          options={MARKS.filter((mark) => mark !== "point" || numbers.length > 0).map((mark) => ({
            value: mark,
            icon: ICONS[mark],
            title: t(`mark_${mark}`),
            label: <span className="visually-hidden">{t(`mark_${mark}`)}</span>,
          }))}
        />
      </Form.Item>
      <Flex wrap gap="0 12px">
        <Choice label={wish.mark === "arc" ? t("x_arc") : t("x")} value={wish.x} change={chooseX} options={axis.map(named)} />
        {wish.grain && groups(wish) && (
          <Choice
            label={t("grain")}
            value={wish.grain}
            change={(grain) => put({ grain })}
            options={GRAINS.map((grain) => ({ value: grain, label: t(`grain_${grain}`) }))}
          />
        )}
        <Choice
          label={t("y")}
          value={wish.y ?? ROWS}
          change={chooseY}
          options={[...(groups(wish) ? [{ value: ROWS, label: t("rows") }] : []), ...numbers.map(named)]}
        />
        {groups(wish) && wish.y && (
          <Choice
            label={t("aggregate")}
            value={wish.aggregate}
            change={(aggregate) => put({ aggregate })}
            options={AGGREGATES.filter(
              (each) => each !== "count" && !(withoutMedian && each === "median"),
            ).map((each) => ({ value: each, label: t(`aggregate_${each}`) }))}
          />
        )}
        {wish.mark !== "arc" && (
          <Choice
            label={t("colour")}
            value={wish.colour ?? ROWS}
            change={(colour) => put({ colour: colour || null })}
            options={[{ value: ROWS, label: t("none") }, ...colourable(columns).map(named)]}
          />
        )}
        <Form.Item label={t("title")} style={{ flex: "1 1 220px", minWidth: 0 }}>
          <Input
            value={wish.title}
            placeholder={autoTitle}
            maxLength={200}
            aria-label={t("title")}
            onChange={(event) => put({ title: event.target.value })}
          />
        </Form.Item>
      </Flex>
    </Form>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  options: { value: T; label: string }[];
  change: (value: T) => void;
}

function Choice<T extends string>({ label, value, options, change }: ChoiceProps<T>) {
  return (
    <Form.Item label={label} style={{ flex: "1 1 200px", minWidth: 0 }}>
      <Select
        value={value}
        options={options}
        onChange={change}
        aria-label={label}
        showSearch={options.length > 8 ? { optionFilterProp: "label" } : false}
        style={{ width: "100%" }}
      />
    </Form.Item>
  );
}
