import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, it } from 'vitest'
import type { JudgedMerge } from '../../../../src/cli/merge/answer/read-candidates.ts'
import { addTry, countTry, describeLog, mergeLogFile, readMergeLog } from '../../../../src/cli/merge/merge-log.ts'
import type { MergeReason } from '../../../../src/cli/merge/merge-result.ts'
import { scratch } from '../../../support/scratch.ts'

const day = 24 * 3_600_000

/** One work as it was tried: what is counted of it. */
function tried(severity: 'high' | null, merge: 'conflicts' | 'clean' | MergeReason) {
  const isTried = merge === 'conflicts' || merge === 'clean'
  const result = { merge: isTried ? merge : 'not_tried', merge_reason: isTried ? null : merge }
  return { received: { known: { severity } }, result } as JudgedMerge
}

async function newLog() {
  const env = { HOME: await scratch() }
  const at = (now: number) => ({ env, now: () => now })
  return { at, file: mergeLogFile(env) ?? '' }
}

it('answers with something not tried are counted, once for each reason, and what is beyond the limit', async () => {
  const { at } = await newLog()
  const [first, second] = [
    [tried('high', 'clean'), tried(null, 'network'), tried('high', 'network')],
    [tried('high', 'conflicts')],
  ]
  countTry(at(day), 'check', { tried: first, cut: 3 })
  countTry(at(2 * day), 'check', { tried: second, cut: 0 })
  countTry(at(2 * day), 'hook', { tried: [tried(null, 'not_fetched')], cut: 0 })
  const log = readMergeLog(at(3 * day))
  expect(log).toEqual({
    since: day,
    check: {
      ...{ answers: 2, untried: 1, by_reason: { network: 1 }, cut: 1, cut_works: 3 },
      works: { 'high clean': 1, 'nearby not_tried': 1, 'high not_tried': 1, 'high conflicts': 1 },
    },
    hook: {
      ...{ answers: 1, untried: 1, by_reason: { not_fetched: 1 }, cut: 0, cut_works: 0 },
      works: { 'nearby not_tried': 1 },
    },
  })
  expect(describeLog(log, 3 * day)).toBe(
    'Within 2 days: 2 checks with work to try, 1 with something not tried (network 1), in 1 of them 3 beyond the limit; 1 hook with work to try, 1 with something not tried (not_fetched 1).',
  )
})

it('is readable by its owner alone, and begins anew after 30 days', async () => {
  const { at, file } = await newLog()
  countTry(at(day), 'check', { tried: [tried('high', 'clean')], cut: 0 })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readMergeLog(at(31 * day)).check.answers).toBe(1)
  expect(readMergeLog(at(32 * day)).check.answers).toBe(0)
  expect(describeLog(readMergeLog(at(32 * day)), 32 * day)).toBe(undefined)
})

it('nothing is counted where merges are switched off, or nothing can be written', async () => {
  const { at, file } = await newLog()
  countTry(at(day), 'check', { tried: [tried('high', 'off')], cut: 0 })
  expect(() => readFileSync(file)).toThrow()
  writeFileSync(dirname(dirname(file)), '')
  countTry(at(day), 'check', { tried: [tried('high', 'clean')], cut: 0 })
  countTry({ env: {}, now: () => day }, 'check', { tried: [tried('high', 'clean')], cut: 0 })
  expect(readMergeLog(at(day)).check.answers).toBe(0)
})

it('a broken file counts as empty', async () => {
  const { at, file } = await newLog()
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ since: day, check: { answers: 'x', by_reason: { network: 'x' } } }))
  expect(readMergeLog(at(day)).check).toEqual(
    addTry({ ...readMergeLog(at(day)).check, answers: -1 }, { tried: [], cut: 0 }),
  )
})
