/** Thrown where a reading may not go on. What it has saved stays. */
export class ReadingCut extends Error {
  /**
   * - `calls`: the calls of the account, or half of the token's rate limit, or all of it, are used up.
   * - `time`: the token may not be used any longer.
   * - `refused`: GitHub refuses this token.
   */
  readonly reason: 'calls' | 'time' | 'refused'
  constructor(reason: ReadingCut['reason']) {
    super(`the reading ends: ${reason}`)
    this.name = 'ReadingCut'
    this.reason = reason
  }
}
