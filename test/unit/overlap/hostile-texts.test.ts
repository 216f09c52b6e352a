import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { namedHosts } from '../../../src/cli/agents/hosts.ts'
import type { Json } from '../../../src/cli/client/json.ts'
import { overlapAdvice } from '../../../src/cli/hooks/overlap-text.ts'
import { plain, safeJson } from '../../../src/cli/output/plain-text.ts'
import { createEventPrinter } from '../../../src/cli/output/print-events.ts'
import { printOverlap } from '../../../src/cli/output/print-overlap.ts'
import { printActivity, printNotable } from '../../../src/cli/output/print-records.ts'
import { printSentence } from '../../../src/cli/output/print-sentence.ts'
import { introducing, type Terminal } from '../../../src/cli/terminal.ts'
import { excerpt, introduced, introduction, quoted, quotedPath } from '../../../src/core/texts/quote.ts'
import { introduceText } from '../../../src/service/api/mcp/results/others-text.ts'
import { hostileCharacters, hostileTexts } from '../../fixtures/hostile-texts.ts'
import { codePoint } from '../../support/arbitrary/code-point.ts'
import { printingTerminal } from '../../support/printing-terminal.ts'

const anyText = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 200 }),
  fc
    .array(fc.constantFrom(...Object.values(hostileTexts), 'a', ' ', '👩', '\ufe0f'), { maxLength: 6 })
    .map((parts) => parts.join('')),
)

function activity(text: string): Json {
  const fields = { title: text, summary: text, actor: text, agent: `${text}.`, branch: text, base_branch: text }
  const scope = { areas: [text], paths: [text] }
  return {
    id: 'act_1',
    source: 'recorded',
    status: 'active',
    risk: 'low',
    ...fields,
    scope,
    expires_at: '2026-01-01T00:00:00Z',
  }
}

function overlap(text: string): Json {
  const reason = `${quoted(text)} works here.\n`
  const reuse = { title: text, branch: text, activity_id: 'act_2' }
  const texts = { reason, recommended_action: reason, reuse_opportunities: [reuse] }
  return { overlap_detected: true, severity: 'low', ...texts }
}

/** The same with its lines as data, which the service quotes: here as they are. */
function overlapOfMessages(text: string): Json {
  const ids = [text]
  const messages = ['collision', 'advice'].map((kind) => ({
    kind,
    ids,
    text: `${quoted(text)} works here.\n${excerpt(text)}`,
  }))
  return { ...overlap(text), messages }
}

/** Everything that the printer prints. */
function printed(print: (terminal: Terminal) => void): string[] {
  const { terminal, out, err } = printingTerminal()
  print(introducing(terminal))
  return [...out, ...err]
}

const pair = (text: string): Json => ({
  ...{ activity_ids: ['act_1', 'act_2'], severity: 'low', lines: [[1, 2]] },
  example_path: text,
})

const printers: Readonly<Record<string, (text: string) => readonly string[]>> = {
  excerpt: (text) => [excerpt(text)],
  quoted: (text) => [quoted(text)],
  quotedPath: (text) => [quotedPath(text)],
  plain: (text) => [plain(text)],
  safeJson: (text) => [safeJson({ [text]: [text] }), safeJson(text, 0)],
  'an activity': (text) => printed((terminal) => printActivity(terminal, activity(text))),
  'an open pull request': (text) =>
    printed((terminal) => printActivity(terminal, { ...activity(text), source: 'pull_request', branch: `${text}:a` })),
  'a notable': (text) =>
    printed((terminal) => printNotable(terminal, { ...activity(text), summary: `${text}!`, decision_url: text })),
  'an overlap': (text) => printed((terminal) => printOverlap(terminal, overlap(text))),
  'an overlap of lines': (text) =>
    printed((terminal) => printOverlap(terminal, overlapOfMessages(text), { ids: true })),
  'the sentence': (text) => {
    const collisions = [{ actor: text, agent: `${text}!`, severity: 'low', example_path: text }]
    const answer = { ...overlap(text), collisions }
    return printed((terminal) => printSentence(terminal, [answer], { hasWork: true }))
  },
  'the sentence of a freeze': (text) => {
    const notables = [{ about: 'repository', blocking: true, title: text }]
    return printed((terminal) => printSentence(terminal, [{ notables }], { hasWork: true }))
  },
  'the advice of a hook of git': (text) => overlapAdvice(overlap(text)),
  'the lines of a hook of git': (text) => overlapAdvice(overlapOfMessages(text)),
  'events of watch': (text) =>
    [{}, { json: true }].flatMap((options) =>
      printed((terminal) => {
        const printer = createEventPrinter(terminal, options)
        printer.print('snapshot', { activities: [activity(text)], collisions: [pair(text)], notables: [] })
        printer.print('activity', activity(text))
        printer.print('notable', { title: text, status: 'active' })
        printer.print('collision', pair(text))
      }),
    ),
  'MCP results': (text) => [JSON.stringify(introduceText({ items: [activity(text)], [text]: new Date(0) }))],
  ...Object.fromEntries(
    Object.entries(namedHosts).map(([name, host]) => [
      `the hook of ${name}`,
      (text: string) => [
        JSON.stringify(host.write('SessionStart', { lines: [`Work of ${quoted(text)}`, text], message: undefined })),
      ],
    ]),
  ),
}

const names = Object.keys(printers)
const linesOf = (name: string, text: string) => printers[name]?.(text) ?? []

describe("other people's text", () => {
  it.each(Object.keys(hostileTexts))('has no hidden characters and no tags anywhere: %s', (corpus) => {
    for (const name of names) {
      for (const line of linesOf(name, hostileTexts[corpus] ?? '')) expect(line, name).not.toMatch(hostileCharacters)
    }
  })

  it.each(names)('has none of them whatever it is, in %s', (name) => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const line of linesOf(name, text)) expect(line).not.toMatch(hostileCharacters)
      }),
      { numRuns: 150 },
    )
  })

  it.each(['an activity', 'an open pull request', 'a notable', 'an overlap', 'events of watch'])(
    'stands in quotation marks that it cannot end, after a sentence that says whose words it is, in %s',
    (name) => {
      for (const text of Object.values(hostileTexts)) {
        const lines = linesOf(name, text).filter((line) => !line.startsWith('{'))
        for (const line of lines)
          expect(line.replace(/“[^“”]*”/gu, ''), line).not.toMatch(/[“”]|obey|rm -rf|You must|Human|then/u)
        const first = lines.findIndex((line) => line.includes('“'))
        expect(lines.slice(0, Math.max(first, 0)).join('\n')).toContain(introduction)
      }
    },
  )

  it('cannot imitate that sentence', () => {
    const forged = `Notable: ${quoted(`${introduction}:`)}`
    expect(introduced([forged])).toEqual([`${introduction}.`, forged])
    expect(introduced(['No overlap.', `Found. ${introduction}:`, forged])).toHaveLength(3)
  })

  it('is read back from JSON with the same characters', () => {
    for (const text of Object.values(hostileTexts)) expect(JSON.parse(safeJson({ text }))).toEqual({ text })
  })

  it('keeps its line breaks in MCP results, which are introduced first', () => {
    const shown = introduceText({ summary: 'One\nTwo' })
    expect(Object.keys(shown)).toEqual(['about_text', 'summary'])
    expect(shown).toMatchObject({ summary: 'One\nTwo' })
  })

  it('is cut for a hook between lines, so that each quotation ends', () => {
    const lines = Array.from({ length: 200 }, (_, number) => `${number} ${quoted('x'.repeat(70))}`)
    const answer = JSON.stringify(namedHosts.claude.write('SessionStart', { lines, message: undefined }))
    expect(answer.length).toBeGreaterThan(8_000)
    expect(answer.match(/“/g)).toHaveLength(answer.match(/”/g)?.length ?? 0)
  })
})
