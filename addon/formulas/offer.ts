/** The kinds of arguments that a SOCIAL_ formula can have. The sidebar has an input for each kind. */
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
 * The API route that estimates the cost of a formula. `unit`: the thing that one URL identifies. `per_request_max`:
 * maximum number of URLs in one request. `rows_max`: maximum number of URLs in one estimate. `most`: the highest cost
 * of one URL in credits.
 */
export type EstimateRoute = {
  route: string;
  unit: 'profile' | 'post';
  per_request_max: number;
  rows_max: number;
  most: number;
};

/** The description of a SOCIAL_ formula, which the sidebar and docs/addon.md show. */
export type FormulaOffer = {
  /** The position of the formula in the sidebar's list; lower numbers come first. */
  order: number;
  label: string;
  /** Label for the cells that the formula reads; empty when the formula reads no cells. */
  takes: string;
  args: readonly ArgumentKind[];
  /** All fields or metrics that the user can select for the formula. */
  choices: readonly string[];
  /** The fields or metrics that the sidebar has ticked when the user opens the formula for the first time. */
  usual: readonly string[];
  /** The API route that estimates the cost of the formula; null when the formula is free. */
  estimate: EstimateRoute | null;
  /** The result of the formula (`gives`) and its cost (`costs`), for the table in docs/addon.md. */
  gives: string;
  costs: string;
};
