/** The kinds of arguments. The sidebar has an input for each kind. */
export type ArgumentKind =
  | 'area'
  | 'limit'
  | 'fields'
  | 'max_age'
  | 'platform'
  | 'metrics'
  | 'days'
  | 'campaign'
  | 'section';

/**
 * The route that estimates the cost of a formula. `unit`: what one URL identifies. `per_request_max`: maximum number of URLs
 * in one request. `rows_max`: maximum number of URLs in one estimate. `most`: the highest cost of one URL in credits.
 */
export type EstimateRoute = {
  route: string;
  unit: 'profile' | 'post';
  per_request_max: number;
  rows_max: number;
  most: number;
};

/** How the sidebar and docs/addon.md describe a formula. */
export type FormulaOffer = {
  /** The position of the formula in the list of the sidebar; lower numbers come first. */
  order: number;
  label: string;
  /** Label of the cells that the formula reads; empty when it reads no cells. */
  takes: string;
  args: readonly ArgumentKind[];
  /** The fields or metrics that the user can select. */
  choices: readonly string[];
  /** The fields or metrics that are selected at first. */
  usual: readonly string[];
  /** How to estimate the cost; null when the formula is free. */
  estimate: EstimateRoute | null;
  /** The result and the cost of the formula, for the table in docs/addon.md. */
  gives: string;
  costs: string;
};
