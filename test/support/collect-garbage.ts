import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
/** Frees what nothing holds. What a weak reference was asked for in this turn counts as held. */
export const collectNow: () => void = runInNewContext('gc')

/** Frees what nothing holds. */
export async function collectGarbage(): Promise<void> {
  await nextTurn()
  collectNow()
}
