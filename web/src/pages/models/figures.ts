export const FIGURES = [
  "context_length",
  "max_output_tokens",
  "input_cost_per_1m",
  "output_cost_per_1m",
] as const;

export type Figure = (typeof FIGURES)[number];
