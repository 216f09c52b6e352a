import { expect } from 'vitest'
import { readSnapshot } from '../stage/read-snapshot.ts'
import { figuresOf } from './figures.ts'
import type { RunningLoad } from './start-load.ts'

/** Waits for the clients, prints the figures, and expects no violation in the history and the tables. */
export async function expectNoViolations(
  loads: readonly RunningLoad[],
  url: string,
  ...details: unknown[]
): Promise<void> {
  for (const load of loads) await load.finish()
  console.log(...details, figuresOf(loads))
  const violations: string[] = []
  for (const load of loads) violations.push(...load.violations(await readSnapshot(url, load.load.repository.id)))
  // Printed here in full: the runner cuts it.
  if (violations.length > 0) console.log(violations.join('\n'))
  expect(violations).toEqual([])
}
