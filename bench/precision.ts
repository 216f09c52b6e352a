/**
 * How often the rules are right: `npm run bench:precision`. It compares the open pull requests of three projects on one day by the
 * product's own rules, and looks up which of the pairs really conflict.
 */
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { z } from 'zod'
import { ignoredFiles } from '../src/core/changes/ignored.ts'
import { spansOf } from '../src/core/changes/spans.ts'
import { defaultIgnoredPaths } from '../src/core/default-ignored.ts'
import { compare } from '../src/core/overlap/compare.ts'
import { changedFiles } from '../src/core/overlap/files.ts'
import type { Work } from '../src/core/overlap/work.ts'
import { createTurns, inTurns } from '../src/core/turns.ts'

const pair = z.tuple([z.int(), z.int()])
const PullRequest = z.object({
  number: z.int(),
  bot: z.boolean(),
  base: z.string(),
  base_conflicts: z.array(z.string()).default([]),
  files: z.array(
    z.object({
      path: z.string(),
      status: z.enum(['added', 'modified', 'removed', 'renamed']),
      ranges: z.array(pair).default([]),
    }),
  ),
})
const Data = z.object({
  pull_requests: z.array(PullRequest),
  conflicts_at_tip: z.array(z.object({ pair, paths: z.array(z.string()) })),
  stacked: z.array(pair),
})

const isIgnored = ignoredFiles(defaultIgnoredPaths)
const keyOf = ([a, b]: readonly [number, number]) => `${Math.min(a, b)} ${Math.max(a, b)}`

function readData(name: string) {
  const bytes = readFileSync(new URL(`../../bench/open-prs/${name}.json.br`, import.meta.url))
  return Data.parse(JSON.parse(brotliDecompressSync(bytes).toString('utf8')))
}

/** The pull request as the product compares it. */
function workOf({ base, files }: z.infer<typeof PullRequest>): Work {
  const changed = files
    .filter(({ path }) => !isIgnored(path))
    .map(({ path, status, ranges }) => {
      const lines = ranges.map(([first, last]) => (last === first + 1 ? [last, first] : [first, last]))
      return { path, status, spans: spansOf(lines), hasAllLines: ranges.length > 0, toldBy: 'github' as const }
    })
  const nothing = { globs: [], areas: new Map(), areaGlobs: new Map(), issues: [], head: null, commits: [] }
  return { ...nothing, baseBranch: base, files: changedFiles(changed), hasIgnoredFiles: false }
}

interface Figures {
  high: number
  highRight: number
  medium: number
  mediumRight: number
  conflicts: number
  found: number
}

async function figuresOf(name: string): Promise<Figures> {
  const { pull_requests, conflicts_at_tip, stacked } = readData(name)
  const expected = new Set(stacked.map(keyOf))
  const conflicting = conflicts_at_tip.filter(({ paths }) => paths.some((path) => !isIgnored(path)))
  const truth = new Set(conflicting.map(({ pair }) => keyOf(pair)))
  // Conflicts are known between those that still merge into the default branch. Those of bots are not observed.
  const works = pull_requests
    .filter(({ bot, base_conflicts }) => !bot && base_conflicts.length === 0)
    .map((pull) => ({ number: pull.number, work: workOf(pull) }))
  const told = { high: new Set<string>(), medium: new Set<string>() }
  for (const [index, a] of works.entries()) {
    for (const b of works.slice(index + 1)) {
      const key = keyOf([a.number, b.number])
      const limits = { budget: { steps: 1_000_000 }, epics: new Set<number>() }
      const found = expected.has(key) ? null : await inTurns(compare(a.work, b.work, limits), createTurns())
      if (found?.severity === 'high' || found?.severity === 'medium') told[found.severity].add(key)
    }
  }
  const right = (keys: Set<string>) => [...keys].filter((key) => truth.has(key)).length
  const [highRight, mediumRight] = [right(told.high), right(told.medium)]
  return {
    ...{ high: told.high.size, highRight, medium: told.medium.size, mediumRight },
    ...{ conflicts: truth.size, found: highRight + mediumRight },
  }
}

function sum(all: readonly Figures[]): Figures {
  const of = (key: keyof Figures) => all.reduce((total, one) => total + one[key], 0)
  return {
    ...{ high: of('high'), highRight: of('highRight'), medium: of('medium'), mediumRight: of('mediumRight') },
    ...{ conflicts: of('conflicts'), found: of('found') },
  }
}

console.log('| | `high` that are right | `medium` that are right | conflicts found |\n| --- | --- | --- | --- |')
const names = ['undici', 'fastify', 'rails']
const all = await Promise.all(names.map(figuresOf))
for (const [index, one] of [...all, sum(all)].entries())
  console.log(
    `| ${names[index] ?? 'all'} | ${one.highRight} of ${one.high} | ${one.mediumRight} of ${one.medium} | ${one.found} of ${one.conflicts} |`,
  )
