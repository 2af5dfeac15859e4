export interface ErrorRow {
  status: number;
  /** Reserved identifier of the sandbox that answers with this code: three letters or digits, and four digits. */
  sandbox?: readonly [suffix: string, number: string];
  /** True when the same request can succeed soon without changes. A single error can override true with false. */
  retryable: boolean;
  /** True when the request may have been charged. Every other error charged nothing. */
  may_be_charged?: true;
  /** Default number of seconds to wait before a retry. Every retryable code has one. */
  retry_after_seconds?: number;
  /** Default message, used when the error has no message of its own. */
  message: string;
  /** The cause, for the documentation, in Markdown. */
  cause: string;
  /** The advice to the caller, for the documentation, in Markdown. */
  to_do: string;
  /** The advice to an assistant that called an MCP tool. */
  next_step: string;
  /** The label of a row of a bulk analysis that failed with this code. */
  batch_label?: string;
}
