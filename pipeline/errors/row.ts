export interface ErrorRow {
  status: number;
  /** Reserved identifiers with which the sandbox returns this error: `suffix` has three letters or digits, `number` has four digits. */
  sandbox?: readonly [suffix: string, number: string];
  /** True when the same request can succeed soon without changes. A single error can override true with false, see `SourceErrorOptions`. */
  retryable: boolean;
  /** True when the failed request may have been charged. Requests that fail with any other code are never charged. */
  may_be_charged?: true;
  /** Default number of seconds to wait before a retry. Every code with `retryable: true` has one. */
  retry_after_seconds?: number;
  /** Default message, used when the error has no message of its own. */
  message: string;
  /** Explains the cause in the documentation, in Markdown. */
  cause: string;
  /** Tells API users what to do, in the documentation, in Markdown. */
  to_do: string;
  /** Tells an AI assistant what to do after its MCP tool call failed with this code. */
  next_step: string;
  /** The text that a row of a bulk analysis shows when it failed with this code. */
  batch_label?: string;
}
