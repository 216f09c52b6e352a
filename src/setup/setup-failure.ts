/** Why a request of the set-up page failed. The message and the faults are for the user. */
export class SetupFailure extends Error {
  readonly status: number
  readonly faults: readonly string[]
  constructor(status: number, message: string, faults: readonly string[] = []) {
    super(message)
    this.name = 'SetupFailure'
    this.status = status
    this.faults = faults
  }
}
