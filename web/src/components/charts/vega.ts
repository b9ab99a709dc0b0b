/** Vega, loaded when the first chart is drawn. Formulas are interpreted: the page allows no eval. */
import embed, { type Result, type VisualizationSpec } from "vega-embed";
import type { Loader } from "vega";
import { expressionInterpreter } from "vega-interpreter";

/** A chart's data is in its spec; it fetches nothing, neither data nor pictures. */
const refuse = () => Promise.reject(new Error("A chart may not load anything."));
const loader: Loader = { load: refuse, sanitize: refuse, http: refuse, file: refuse };

export const draw = (at: HTMLElement, spec: object): Promise<Result> =>
  embed(at, spec as VisualizationSpec, {
    mode: "vega-lite",
    renderer: "canvas",
    actions: false,
    defaultStyle: false,
    ast: true,
    expr: expressionInterpreter,
    loader,
    tooltip: { disableDefaultStyle: true },
    logLevel: 0,
  });
