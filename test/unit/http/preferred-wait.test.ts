import { expect, it } from 'vitest'
import { preferredWaitMs } from '../../../src/service/api/http/middleware/preferred-wait.ts'

it.each<[string | string[] | undefined, number | undefined]>([
  ['wait=0', 0],
  ['wait=2', 2_000],
  ['Wait = "3"', 3_000],
  ['respond-async, wait=10', 10_000],
  ['wait=0; foo=bar', 0],
  ['wait=1, wait=2', 1_000],
  [['return=minimal', 'wait=0'], 0],
  ['wait=-1', undefined],
  ['wait=soon', undefined],
  ['wait', undefined],
  ['no-wait=0', undefined],
  ['', undefined],
  [undefined, undefined],
])('Prefer: %j is a wait of %j ms', (header, expected) => {
  expect(preferredWaitMs(header)).toBe(expected)
})
