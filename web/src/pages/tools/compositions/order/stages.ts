/** The steps of a composition in the order in which they run. Pure. */

interface Template {
  kind?: string;
  steps?: { beside_previous?: boolean; next?: Branch[] }[];
}

interface Branch {
  step: number;
  on?: "success" | "failure";
  when?: { value: string; op: string; to?: unknown } | null;
}

export interface Way {
  step: number;
  onFailure: boolean;
  /** As it is written; empty: always. */
  condition: string;
}

/** The numbers of the steps; those of one stage run at the same time. */
export function stagesOf(template: object): number[][] {
  const { kind, steps = [] } = template as Template;
  if (kind === "parallel") return [steps.map((_, at) => at + 1)];
  const stages: number[][] = [];
  steps.forEach((step, at) => {
    const last = stages.at(-1);
    if (step.beside_previous && last) last.push(at + 1);
    else stages.push([at + 1]);
  });
  return stages;
}

/** Where a step of a conditional composition may lead. */
export function waysOf(template: object, number: number): Way[] {
  const branches = (template as Template).steps?.[number - 1]?.next ?? [];
  return branches.map(({ step, on, when }) => ({
    step,
    onFailure: on === "failure",
    condition: when ? `${when.value} ${when.op} ${JSON.stringify(when.to ?? null)}` : "",
  }));
}
