import picomatch from 'picomatch'
import { parseGlob } from '../src/core/scope/glob/glob.ts'
import { intersect } from '../src/core/scope/match/intersect.ts'
import { automataMeet } from '../test/unit/scope/reference-automata.ts'
import { shown, spreadOf } from './measure.ts'

/** Globs as people write them. */
const texts = [
  'src/**',
  'src/auth/**',
  'src/auth/login.ts',
  'src/*/login.ts',
  '**/*.ts',
  '**/*.test.ts',
  'packages/*/src/**',
  'packages/core/src/index.ts',
  'docs/**',
  'docs/guide/*.md',
  'README.md',
  '*.md',
  '.github/**',
  '.github/workflows/*.yml',
  'app/[id]/page.tsx',
  'app/(shop)/**',
  'src/components/Button.tsx',
  'src/components/**/*.css',
  'package.json',
  'src/{auth,billing}/**',
  'migrations/*.sql',
  'prisma/schema.prisma',
  'test/unit/*.test.ts',
  'src/billing',
]

const globs = texts.flatMap((text) => {
  const parsed = parseGlob(text)
  return parsed.ok ? [parsed.glob] : []
})
const matchers = texts.map((text) => picomatch(text, { dot: true }))
const paths = texts.map((text) => text.replaceAll('**', 'b').replaceAll('*', 'a').replace('{auth,billing}', 'auth'))

/** Measures the nanoseconds per pair. */
function timed(rounds: number, work: () => number): number {
  const start = process.hrtime.bigint()
  let found = 0
  for (let round = 0; round < rounds; round++) found += work()
  if (found < 0) throw new Error('never')
  return Number(process.hrtime.bigint() - start) / rounds / texts.length ** 2
}

function decideAll(): number {
  let found = 0
  for (const a of globs) for (const b of globs) if (intersect(a, b)) found++
  return found
}

function matchAll(): number {
  let found = 0
  for (const matches of matchers) for (const path of paths) if (matches(path)) found++
  return found
}

/** Measures the automata of `refa` on a few of the pairs, as they take milliseconds per pair. */
function decideByAutomata(): number {
  const some = texts.filter((_, n) => n % 4 === 0)
  const start = process.hrtime.bigint()
  for (const a of some) for (const b of some) automataMeet(a, b)
  return Number(process.hrtime.bigint() - start) / some.length ** 2
}

/** Measures a comparison of two globs, and the parsing of a glob, as multiples of one match by a compiled picomatch. */
export function measurePairs(): { name: string; value: string }[] {
  timed(300, decideAll)
  timed(300, matchAll)
  const rounds = Array.from({ length: 9 }, () => timed(500, decideAll) / timed(500, matchAll))
  const parsing = Array.from({ length: 9 }, () => (timed(20, parseAll) * texts.length) / timed(500, matchAll))
  decideByAutomata()
  const automata = Array.from({ length: 5 }, () => decideByAutomata() / timed(500, decideAll))
  return [
    { name: 'deciding a pair, against one picomatch match', value: `${shown(spreadOf(rounds))}×   target ≤ 1.5` },
    { name: 'reading a glob (once, then cached), likewise', value: `${shown(spreadOf(parsing))}×` },
    { name: "refa's decision of a pair, against ours", value: `${shown(spreadOf(automata), 0)}×` },
  ]
}

function parseAll(): number {
  for (const text of texts) parseGlob(text)
  return 0
}
