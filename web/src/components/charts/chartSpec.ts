/** A Vega-Lite spec made fit for this page: its colours, its width, and its data as rows. */
type Spec = Record<string, unknown>;

const isObject = (value: unknown): value is Spec =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Colours that stand on the page's own ground in dark; the light ones are the spec's. */
const INK = "#e6e9ee";
const FAINT = "#aeb6c2";
const LINE = "#333a45";
const DARK: Spec = {
  title: { color: INK, subtitleColor: FAINT },
  axis: { labelColor: FAINT, titleColor: FAINT, domainColor: LINE, tickColor: LINE, gridColor: LINE },
  legend: { labelColor: INK, titleColor: FAINT },
  header: { labelColor: INK, titleColor: FAINT },
  text: { color: INK },
  rule: { color: FAINT },
  range: {
    category: ["#56b4e9", "#e69f00", "#3dbf95", "#e29bc3", "#9ad4f5", "#f08a4b", "#b28ad1", "#c2a35f"],
  },
  mark: { color: "#56b4e9" },
};

export function fitted(spec: Spec, dark: boolean, height?: number): Spec {
  // `usermeta` could give vega-embed options of its own.
  const { usermeta: _options, background: _ground, config, ...rest } = spec;
  const own = isObject(config) ? config : {};
  const merged = dark ? merge(own, DARK) : { ...own };
  const one = "mark" in rest || "layer" in rest;
  const faceted = isObject(rest.encoding) && ["row", "column", "facet"].some((key) => key in (rest.encoding as Spec));
  const stretches = one && !faceted && !isObject(rest.width);
  return {
    ...rest,
    ...(height !== undefined && !isObject(rest.height) ? { height } : {}),
    ...(stretches ? { width: "container", autosize: { type: "fit-x", contains: "padding" } } : {}),
    config: { ...merged, background: "transparent" },
  };
}

function merge(under: Spec, over: Spec): Spec {
  const merged: Spec = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const before = merged[key];
    merged[key] = isObject(before) && isObject(value) ? merge(before, value) : value;
  }
  return merged;
}

/** The rows a chart is drawn from, for those who would rather read them. */
export function chartRows(spec: Spec): { columns: { name: string }[]; rows: unknown[][] } {
  const values = valuesOf(spec.data) ?? Object.values(isObject(spec.datasets) ? spec.datasets : {})[0];
  const records = Array.isArray(values) ? values.filter(isObject) : [];
  const names = [...new Set(records.slice(0, 100).flatMap((record) => Object.keys(record)))];
  return {
    columns: names.map((name) => ({ name })),
    rows: records.map((record) => names.map((name) => record[name])),
  };
}

const valuesOf = (data: unknown): unknown => (isObject(data) ? data.values : undefined);
