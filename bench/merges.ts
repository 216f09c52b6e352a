import { findMirrors } from './merges/mirrors.ts'
import { openStore, readHistory } from './merges/read-history.ts'
import { isIgnored, type JudgedPair, judgePairs } from './merges/try-pairs.ts'
import { wilson } from './replay.ts'
import { percent, print } from './tables.ts'

/**
 * How often alarms by file, by lines and by the tried merge are right, against what people had to resolve: pairs of pull
 * requests that were open together and both merged later. `HEADSUP_BENCH_HISTORIES` names the folder of the mirrors.
 */
const newest = 4000

const mirrors = findMirrors()

type Told = (pair: JudgedPair) => boolean

const isLoud = (severity: JudgedPair['byLines']) => severity === 'high' || severity === 'medium'
const byLines: Told = (pair) => isLoud(pair.byLines)
const byMerge: Told = (pair) => isLoud(pair.byMerge)
const rows: [string, Told][] = [
  ['same file', () => true],
  ['`high` and `medium` by lines', byLines],
  ['`high` by lines', (pair) => pair.byLines === 'high'],
  ['the tried merge', byMerge],
]

function share(part: number, whole: number): string {
  if (whole === 0) return 'none'
  const [low, high] = wilson(part, whole).map((one) => Math.round(100 * one))
  return `${part} of ${whole}: ${percent(part, whole)} % (${low}–${high})`
}

function figures(pairs: readonly JudgedPair[], isTold: Told): string[] {
  const told = pairs.filter(isTold)
  const right = told.filter(({ isResolved }) => isResolved).length
  const resolved = pairs.filter(({ isResolved }) => isResolved).length
  return [String(told.length), share(right, told.length), share(right, resolved)]
}

const all: JudgedPair[] = []
for (const { name, mirror } of mirrors) {
  const at = openStore(mirror)
  try {
    const history = await readHistory(at, mirror, newest, (path) => !isIgnored(path))
    const pairs = await judgePairs(history)
    all.push(...pairs)
    const resolved = pairs.filter(({ isResolved }) => isResolved).length
    print(`${name} at ${history.tip.slice(0, 8)}: ${resolved} resolved of ${pairs.length} pairs`, [
      ['told', 'pairs', 'right', 'found'],
      ...rows.map(([title, isTold]) => [title, ...figures(pairs, isTold)]),
    ])
  } finally {
    at.git.kill()
    at.store.remove()
  }
}
const resolved = all.filter(({ isResolved }) => isResolved)
print(`Pooled: ${resolved.length} resolved of ${all.length} pairs`, [
  ['told', 'pairs', 'right', 'found'],
  ...rows.map(([title, isTold]) => [title, ...figures(all, isTold)]),
])

const told = all.filter(byMerge)
const right = told.filter(({ isResolved }) => isResolved).length
const foundByLines = resolved.filter(byLines)
const lost = foundByLines.filter((pair) => !byMerge(pair)).length
const linesTold = all.filter(byLines).length
const lowest = (part: number, whole: number) => Math.round(1000 * wilson(part, whole)[0]) / 10
const [rightLow, foundLow] = [lowest(right, told.length), lowest(right, resolved.length)]
const met = (isMet: boolean) => (isMet ? 'met' : 'missed')
print('Targets, pooled', [
  ['', 'measured', 'target', ''],
  ['right, lower end', `${rightLow} %`, '≥ 75 %', met(rightLow >= 75)],
  ['found, lower end', `${foundLow} %`, '≥ 72 %', met(foundLow >= 72)],
  [
    'pairs told, of those of `high` and `medium`',
    `${told.length} of ${linesTold}: ${percent(told.length, linesTold)} %`,
    '≤ 60 %',
    met(told.length <= 0.6 * linesTold),
  ],
  [
    'lost, of what these find',
    `${lost} of ${foundByLines.length}: ${percent(lost, foundByLines.length)} %`,
    '≤ 8 %',
    met(lost <= 0.08 * foundByLines.length),
  ],
])
const untried = all.filter(({ merge }) => merge === 'not_tried').length
console.log(`\nNot tried, so told by lines: ${untried} of ${all.length}.`)
