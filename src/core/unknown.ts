/**
 * Something in a CLI's output that we do not know: counted and shown, never a failure. It is how a vendor's change is
 * noticed before it does harm.
 */
export interface Unknown {
  /** A kind of event, a code where we know all of them, a field that is of another type, a refusal in other words. */
  readonly what: 'event' | 'code' | 'field' | 'phrase';
  /** `system/api_rest`; `result status "paused"`; `system/api_retry retry_delay_ms is text`; the words themselves. */
  readonly name: string;
  readonly count: number;
  /** The line in which it was first seen, secrets removed. */
  readonly evidence: string;
}
