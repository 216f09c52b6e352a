import { readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { removeStale } from '../../src/cli/agents/hook-state.ts'
import { newDirectory } from '../support/command-line.ts'

it('§13 a hook leaves the new lock of another that saw the stale one too', () => {
  const directory = newDirectory()
  const lock = join(directory, 'hook.lock')
  writeFileSync(lock, 'of the first')
  removeStale(lock)
  expect(readdirSync(directory)).toEqual(['hook.lock'])
  utimesSync(lock, new Date(), new Date(Date.now() - 6_000))
  removeStale(lock)
  expect(readdirSync(directory)).toEqual([])
})
