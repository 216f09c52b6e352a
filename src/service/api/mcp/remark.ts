import type { Reply } from '../operations/define.ts'

/** Calls another operation on the same repository and record, as the same caller. */
export type CallOperation = (operationId: string, query?: Record<string, unknown>) => Promise<Reply>

/** A text that a tool adds to the result of its operation, as `remark`. */
export interface Remark {
  /** When the result has it, and what it says. */
  description: string
  /**
   * Gets the arguments that the model sent. Returns undefined for no remark. If it throws, the result has no remark.
   */
  write(call: CallOperation, args: Readonly<Record<string, unknown>>): Promise<string | undefined>
}
