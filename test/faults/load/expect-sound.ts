import { expect } from 'vitest'
import { snapshotOf } from '../stage/snapshot-of.ts'
import { figuresOf } from './figures.ts'
import type { Running } from './running.ts'

/** Lets the clients finish, prints what was done, and expects that nothing is wrong with it, in the tables either. */
export async function expectSound(loads: readonly Running[], url: string, ...told: unknown[]): Promise<void> {
  for (const load of loads) await load.finish()
  console.log(...told, figuresOf(loads))
  const faults: string[] = []
  for (const load of loads) faults.push(...load.faults(await snapshotOf(url, load.load.repository.id)))
  // Whole and at once: what the runner prints comes at its end, and is cut.
  if (faults.length > 0) console.log(faults.join('\n'))
  expect(faults).toEqual([])
}
