import picomatch from 'picomatch'
import { parseGlob } from '../src/scope/glob.ts'
import { globsMeet } from '../src/scope/glob-meet.ts'

/** How long deciding a pair of globs takes, as a multiple of one match by a compiled picomatch. */
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

function timed(rounds: number, work: () => number): number {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < 7; i++) {
    const start = process.hrtime.bigint()
    let found = 0
    for (let round = 0; round < rounds; round++) found += work()
    if (found < 0) throw new Error('never')
    best = Math.min(best, Number(process.hrtime.bigint() - start) / rounds / texts.length ** 2)
  }
  return best
}

const pair = timed(1000, () => {
  let found = 0
  for (const a of globs) for (const b of globs) if (globsMeet(a, b)) found++
  return found
})
const match = timed(1000, () => {
  let found = 0
  for (const matches of matchers) for (const path of paths) if (matches(path)) found++
  return found
})
console.log(
  `a pair ${pair.toFixed(0)} ns, a picomatch match ${match.toFixed(0)} ns: ${(pair / match).toFixed(2)} times`,
)
