export interface ErrorRow {
  status: number;
  /**
   * Reserved identifiers with which the test mode (sandbox) returns this error on purpose. `suffix` has three letters
   * or digits for handles, `number` has four digits for numeric IDs.
   */
  sandbox?: readonly [suffix: string, number: string];
  /** True when an unchanged retry may soon succeed. A single error can set this to false, see `SourceErrorOptions`. */
  retryable: boolean;
  /**
   * True when a request that failed with this code may have been charged. Requests that fail with any other code are
   * never charged.
   */
  may_be_charged?: true;
  /** Default number of seconds to wait before a retry. Set for every code with `retryable: true`. */
  retry_after_seconds?: number;
  /** Default message of an error with this code. */
  message: string;
  /** Explains the cause of the error to API users. The documentation shows this Markdown text. */
  cause: string;
  /** Tells API users what to do about the error. The documentation shows this Markdown text. */
  to_do: string;
  /** Tells an AI assistant what to do after its MCP tool call failed with this code. */
  next_step: string;
  /** Short text that a row of a bulk analysis shows when it failed with this code. */
  batch_label?: string;
}
