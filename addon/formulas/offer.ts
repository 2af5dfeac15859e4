/** The controls of the sidebar with which the user sets an argument. */
export type ArgumentKind = 'area' | 'limit' | 'fields' | 'max_age' | 'metrics' | 'days' | 'campaign' | 'section';

/**
 * The route that estimates the cost of a formula. `unit`: what one URL identifies. `per_request_max`: URLs in one
 * request. `rows_max`: URLs in one estimate. `most`: the highest cost of one URL in credits.
 */
export type EstimateRoute = {
  route: string;
  unit: 'profile' | 'post';
  per_request_max: number;
  rows_max: number;
  most: number;
};

/** How the sidebar and docs/addon.md present a formula. */
export type FormulaOffer = {
  /** Sorts the list in the sidebar, ascending. */
  order: number;
  label: string;
  /** Label of the cells that the formula reads; empty when it reads no cells. */
  takes: string;
  args: readonly ArgumentKind[];
  /** The fields or metrics that the user can tick. */
  choices: readonly string[];
  /** The choices that are ticked at first. */
  usual: readonly string[];
  /** Null when the formula is free. */
  estimate: EstimateRoute | null;
  /** Cells of the table in docs/addon.md. */
  gives: string;
  costs: string;
};
