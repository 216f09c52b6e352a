import { describe, expect, it } from 'vitest'
import { printSentence } from '../../../../src/cli/output/print-sentence.ts'
import { printingTerminal } from '../../../support/printing-terminal.ts'

type Options = Parameters<typeof printSentence>[2]

const clear = { clear: true, obstacles: [], observed: { pull_requests: 'current', unread: 0 } }
const item = { actor: 'carla', agent: null, severity: 'high', example_path: 'src/a.ts', areas: [], lines: [[130, 133]] }
const collides = { clear: false, obstacles: ['collision'], severity: 'high', related_activity_ids: ['act_1'] }
const freeze = { about: 'repository', blocking: true, importance: 'low', title: 'Freeze' }

function sentence(overlaps: object | object[], options: Partial<Options> = {}, colour = false): string {
  const { terminal, out } = printingTerminal()
  const answers = [overlaps].flat().map((overlap) => ({ ...clear, ...overlap }))
  printSentence({ ...terminal, colour }, answers, { hasWork: true, ...options })
  expect(out).toHaveLength(1)
  return out[0] ?? ''
}

describe('the sentence at the command line', () => {
  it('says who changes the lines, with the name quoted', () => {
    expect(sentence({ ...collides, collisions: [item] })).toBe('“carla” changes the lines you change.')
    const agent = { ...item, agent: 'codex', lines: null }
    expect(sentence({ ...collides, collisions: [agent] })).toBe('“carla with codex” works on the file you work on.')
  })

  it('says that both works are yours', () => {
    const own = { ...item, own: true }
    expect(sentence({ ...collides, collisions: [own] })).toBe('Two works of yours change the same lines.')
  })

  it('names the first collision, which is the worst, and one of the parent where there is no other', () => {
    const other = { ...item, actor: 'Ben', severity: 'low' }
    expect(sentence({ ...collides, collisions: [item, other] })).toMatch(/^“carla”/)
    expect(sentence([{}, { ...collides, collisions: [other] }])).toMatch(/^“Ben”/)
  })

  it('says a freeze, but for a collision', () => {
    expect(sentence({ obstacles: ['notable'], clear: false, notables: [freeze] })).toBe('“Freeze”')
    expect(sentence({ ...collides, collisions: [item], notables: [freeze] })).toMatch(/^“carla”/)
    expect(sentence({ notables: [{ ...freeze, blocking: false }] })).toBe('Nothing collides with you.')
  })

  it('says that nothing collides, and how much is near', () => {
    expect(sentence({})).toBe('Nothing collides with you.')
    expect(sentence({ nearby_count: 2 })).toBe('Nothing collides with you, and 2 work near you.')
    expect(sentence({}, { isByLines: true })).toBe('By lines, nothing collides with you.')
    expect(sentence({ observed: { pull_requests: 'off', unread: 0 } })).toBe('Nothing recorded collides with you.')
  })

  it.each([
    ...['nothing_named', 'cut_off', 'unread', 'wide_paths'].map((obstacle) => ({
      overlap: { clear: false, obstacles: [obstacle] },
      options: {},
    })),
    { overlap: { clear: undefined, obstacles: undefined }, options: {} },
    { overlap: { clear: 'true', obstacles: [] }, options: {} },
    { overlap: {}, options: { isMissing: true } },
  ])('gives no all-clear that is not known: %j', ({ overlap, options }) => {
    expect(sentence(overlap, options)).toBe('Not known yet whether something collides with you.')
  })

  it('tells the same change', () => {
    expect(sentence({ ...collides, collisions: [{ ...item, same_change: true }] })).toContain(
      'makes the change that you make',
    )
  })

  it('names the same issue, but for changed lines', () => {
    const issue = { ...item, issues: [42], lines: null, example_path: null, severity: 'medium' }
    const said = (more: object) => sentence({ ...collides, collisions: [{ ...issue, ...more }] })
    expect(said({})).toBe('“carla” works on issue #42 too.')
    expect(said({ issues: [42, 57, 60, 71] })).toBe('“carla” works on issues #42, #57, #60 and #71 too.')
    expect(said({ own: true })).toBe('Two works of yours are for issue #42.')
    expect(said({ severity: 'high', lines: [[1, 2]] })).toBe('“carla” changes the lines you change.')
  })

  it('says that there is no work', () => {
    expect(sentence({ clear: false, obstacles: ['nothing_named'] }, { hasWork: false })).toBe(
      'You have no work in flight here.',
    )
  })

  it('is green only where nothing collides by all that is tried', () => {
    expect(sentence({}, {}, true)).toContain('\u001b[32m')
    expect(sentence({}, { isByLines: true }, true)).toContain('\u001b[33m')
    expect(sentence({ ...collides, collisions: [item] }, {}, true)).toContain('\u001b[31m')
  })
})
