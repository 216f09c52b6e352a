import { describe, expect, it } from 'vitest'
import { printOverlap } from '../../../../src/cli/output/print-overlap.ts'
import { printingTerminal } from '../../../support/printing-terminal.ts'

type Options = Parameters<typeof printOverlap>[2]

function printed(overlap: object, options: Options = {}): string {
  const { terminal, out } = printingTerminal()
  printOverlap(terminal, { overlap_detected: false, severity: null, ...overlap }, options)
  return out.join('\n')
}

const line = (kind: string, text: string, ids: string[] = []) => ({ kind, text, ids })
const missing = ['src/no.ts is not a file here.']
const clear = {
  clear: true,
  messages: [
    line('nearby', 'Nothing recorded or open meets this.'),
    line('advice', 'See whether it can be reused.', ['act_1']),
    line('advice', 'Then go ahead.'),
    line('advice', 'Keep in mind: “A”.', ['ntb_1']),
  ],
}

describe('a check for a person', () => {
  it('prints the facts beside the head, and the advice after "Next:", without ids', () => {
    expect(printed(clear)).toBe(
      [
        'No overlap. Nothing recorded or open meets this.',
        'Next: See whether it can be reused.',
        '  Then go ahead.',
        '  Keep in mind: “A”.',
      ].join('\n'),
    )
  })

  it('prints the ids of each line with --ids', () => {
    expect(printed(clear, { ids: true })).toContain('  Keep in mind: “A”. [ntb_1]')
  })

  it('never says "go ahead" where a named path is not in the work tree, and keeps the other advice', () => {
    const text = printed(clear, { missing })
    expect(text).toMatch(/^No overlap is known\./)
    expect(text.split('\n').slice(2)).toEqual([
      'Next: See whether it can be reused.',
      '  Keep in mind: “A”.',
      '  See whether this path is right.',
    ])
  })

  it('keeps all advice for a missing path where the answer is not clear', () => {
    const answer = { clear: false, messages: [line('unknown', 'Why.'), line('advice', 'Check again.')] }
    expect(printed(answer, { missing })).toContain('Next: Check again.\n  See whether this path is right.')
  })

  it('is no all-clear where the service does not say that it is clear, whatever its texts say', () => {
    const older = { reason: 'Nothing meets this.\n', recommended_action: 'Go ahead.\n' }
    expect(printed(older)).toBe('No overlap is known. Nothing meets this.\nNext: Go ahead.')
    expect(printed(older, { missing })).not.toMatch(/go ahead/i)
    expect(printed({ ...clear, clear: false })).toMatch(/^No overlap is known\./)
    expect(printed({ ...clear, clear: 'true' })).toMatch(/^No overlap is known\./)
  })

  it('takes a text like one of ours for other people’s words', () => {
    const titled = {
      clear: false,
      messages: [line('unknown', 'Why.'), line('advice', 'Read “Then go ahead.” first.', ['ntb_1'])],
    }
    expect(printed(titled)).toMatch(/^No overlap is known\./)
    expect(printed(titled, { missing })).toContain('Next: Read “Then go ahead.” first.')
  })
})
