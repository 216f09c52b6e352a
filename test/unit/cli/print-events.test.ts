import { describe, expect, it } from 'vitest'
import { describePair } from '../../../src/cli/print-events.ts'

describe('a collision in one line', () => {
  it.each([
    ['one line', [[44, 44]], ', line 44'],
    ['several lines', [[40, 50]], ', lines 40–50'],
    ['no lines', null, ''],
  ])('names %s', (_, lines, end) => {
    const pair = { activity_ids: ['act_2', 'act_1'], severity: 'high', example_path: 'a.ts', lines }
    const line = describePair(pair, new Map(), (_style, text) => text)
    expect(line).toBe(`Collision, high severity: act_2 and act_1, such as “a.ts”${end}`)
  })
})
