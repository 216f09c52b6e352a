import { describe, expect, it } from 'vitest'
import { type PrintOptions, printOverlap } from '../../../../src/cli/output/print-overlap.ts'
import { printingTerminal } from '../../../support/printing-terminal.ts'

function printed(action: string, options: PrintOptions): string {
  const { terminal, out } = printingTerminal()
  const overlap = { overlap_detected: true, severity: 'low', reason: 'Why.\n', recommended_action: action }
  printOverlap(terminal, overlap, options)
  return out.join('\n')
}

const missing = ['src/no.ts is not a file here.']
const tell = 'Let “Bob” know what you are about to do'

describe('the advice about a named path that is not in the work tree', () => {
  it.each([
    ['Go ahead.\n', 'Next: See whether this path is right.'],
    ['Read “A” first.\nThen go ahead.\n', 'Next: Read “A” first.\n  See whether this path is right.'],
    [`${tell}; then go ahead.\n`, `Next: ${tell}.\n  See whether this path is right.`],
  ])('never says "go ahead": %j', (action, expected) => {
    for (const ids of [false, true]) expect(printed(action, { missing, ids })).toContain(expected)
    expect(printed(action, { missing }).toLowerCase()).not.toContain('go ahead')
    expect(printed(action, {}).toLowerCase()).toContain('go ahead')
  })

  it('keeps what other people wrote', () => {
    const action = 'Read “Restart; then go ahead.” first.\n'
    expect(printed(action, { missing })).toContain('Next: Read “Restart; then go ahead.” first.')
  })
})

describe('the head of a check without an overlap', () => {
  const head = (recommended_action: string) => {
    const { terminal, out } = printingTerminal()
    const overlap = { overlap_detected: false, severity: null, reason: 'Why.\n', recommended_action }
    printOverlap(terminal, overlap, {})
    return out[0]
  }

  it.each(['Go ahead.\n', 'See whether it can be reused.\nThen go ahead.\nKeep “A” in mind.\n'])(
    'is an all-clear where the service says to go ahead: %j',
    (action) => expect(head(action)).toBe('No overlap. Why.'),
  )

  it.each(['Name the files that you will change, and check again.\n', 'Keep in mind: “Then go ahead.”\n'])(
    'is none where it does not: %j',
    (action) => expect(head(action)).toBe('No overlap is known. Why.'),
  )
})
