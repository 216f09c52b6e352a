import { readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { removeStale } from '../../src/cli/agents/hook-state.ts'
import { limitsMs, runAgentHook } from '../../src/cli/agents/run-hook.ts'
import { openState } from '../../src/cli/state.ts'
import { newDirectory } from '../support/command-line.ts'
import { newTree } from './git/test-tree.ts'

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

it.each([
  ['asks the service', 0],
  ['does not begin where its input took all the time', limitsMs['session-start']],
])('§13 a hook %s: one limit bounds both', async (_, inputMs) => {
  const { path } = newTree()
  const now = performance.now.bind(performance)
  let waited = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + waited)
  onTestFinished(() => clock.mockRestore())
  const input = (async function* () {
    waited = inputMs
    yield JSON.stringify({ hook_event_name: 'SessionStart', cwd: path })
  })()
  const env = { PATH: process.env.PATH, HOME: path }
  const terminal = { env, input, cwd: path, now: () => 1, out: () => {}, err: () => {} }
  const rest = { isInteractive: false, exitCode: 0, signal: new AbortController().signal }
  await runAgentHook({ ...terminal, ...rest }, 'claude', 'http://127.0.0.1:1')
  const gitDirectory = join(path, '.git')
  const { hooks } = openState({ top: path, gitDirectory, commonDirectory: gitDirectory }, { env, cwd: path }).read()
  // Nobody listens there.
  expect(hooks.awayUntil > 0).toBe(inputMs === 0)
})
