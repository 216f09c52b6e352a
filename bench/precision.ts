import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { type Repository, readRepositories, readRepository } from './pull-requests.ts'
import { pairsTold, pooled, type Replay, replay, shareFound, type Told, wilson } from './replay.ts'
import { equalPairs, lineRule, mediumWithin, productRule, type Rule } from './rules.ts'
import { percent, print } from './tables.ts'

/**
 * How often alarms about open pull requests are right, on what was open in three projects on one day, and what each
 * counting rule does. Takes other files of such data as arguments.
 */
const { positionals } = parseArgs({ allowPositionals: true })
const repositories =
  positionals.length > 0
    ? positionals.map((file) => readRepository(pathToFileURL(file)))
    : readRepositories(new URL('../../bench/open-prs/', import.meta.url))

interface Row {
  name: string
  rule: Rule
  /** Conflicts in ignored paths count too, since the rule tells of these. */
  everyConflict?: boolean
}

function replayAll({ rule, everyConflict }: Row, of: readonly Repository[] = repositories): Replay[] {
  return of.map((repository) => replay(repository, rule, everyConflict))
}

function precision({ pairs, right }: Told): string {
  if (pairs === 0) return 'none'
  const [low, high] = wilson(right, pairs).map((share) => Math.round(100 * share))
  return `${right} of ${pairs}: ${percent(right, pairs)} % (${low}–${high})`
}

function share(part: number, whole: number): string {
  return `${part} of ${whole}: ${percent(part, whole)} %`
}

const tenLines: Row = { name: 'within 10 lines', rule: lineRule(10) }
const dataRows: Row[] = [
  { name: 'same file', rule: lineRule(null, { ignoredPaths: false }), everyConflict: true },
  { name: 'same file, none of the ignored paths', rule: lineRule(null) },
  { name: 'changed lines touch (distance 0)', rule: lineRule(0) },
  { name: 'within 3 lines', rule: lineRule(3) },
  tenLines,
]
print('Plain rules: pairs told / right % / share of the conflicts found %', [
  ['rule', ...repositories.map(({ name }) => name)],
  ...dataRows.map((row) => [
    row.name,
    ...replayAll(row).map((one) => {
      const told = pairsTold(one)
      return `${told} / ${percent(one.found.length, told)} / ${percent(one.found.length, one.conflicts)}`
    }),
  ]),
])

const columns = [
  '`high` that are right',
  '`medium` that are right',
  'pairs told',
  'conflicts found',
  'pull requests told',
]
function figures(one: Replay): string[] {
  return [
    precision(one.high),
    precision(one.medium),
    String(pairsTold(one)),
    share(one.found.length, one.conflicts),
    share(one.concerned, one.pullRequests),
  ]
}

const product: Row = { name: 'the rule', rule: productRule() }
print('The rule of the product', [
  ['', ...columns],
  ...replayAll(product).map((one, n) => [repositories[n]?.name ?? '', ...figures(one)]),
  ['pooled', ...figures(pooled(replayAll(product)))],
])

const variants: Row[] = [
  product,
  { name: 'without ignored paths', rule: productRule({ ignoredPaths: false }), everyConflict: true },
  { name: 'without ignored authors', rule: productRule({ ignoredAuthors: false }) },
  { name: 'without hot files', rule: productRule({ hotFiles: false }) },
  { name: 'without `max_files`', rule: productRule({ maxFiles: false }) },
  { name: 'two lines as replaced', rule: productRule({ insertions: false }) },
  { name: 'where equal files collide', rule: productRule({ equalFiles: false }) },
  { name: 'with stacked pairs', rule: productRule({ stacked: false }) },
  {
    name: 'close lines in hot files are nearby',
    rule: productRule({ judge: ({ severity }, hot) => (hot && severity === 'medium' ? null : severity) }),
  },
  ...[0, 2, 3, 10].map((most) => ({
    name: `\`medium\` within ${most} unchanged lines`,
    rule: productRule({ judge: mediumWithin(most) }),
  })),
  ...[1, 3, 10].map((most) => ({
    name: `\`high\` with a line in common, \`medium\` within ${most} lines`,
    rule: lineRule(0, { mediumWithin: most }),
  })),
  {
    name: 'the same within 10 lines, `medium` not in hot files',
    rule: lineRule(0, { mediumWithin: 10, inHotFiles: false }),
  },
  tenLines,
  { name: "within 10 lines, bots' too", rule: lineRule(10, { bots: true }) },
]
const reference = pooled(replayAll(tenLines))
print('Other rules, pooled', [
  ['', ...columns, 'of what 10 lines find'],
  ...variants.map((row) => {
    const all = pooled(replayAll(row))
    return [row.name, ...figures(all), `${percent(shareFound(all, reference), 1)} %`]
  }),
])

const equal = repositories.flatMap((repository) => equalPairs(repository).map((pair) => ({ ...repository, ...pair })))
print('Pairs that leave a file with the same content', [
  ['', 'equal files', 'files of each', 'one author', 'stacked', 'told, if the first of them began before'],
  ...equal.map(({ name, numbers, equal: count, files, sameAuthor, isStacked, told }) => [
    `${name} ${numbers.map((number) => `#${number}`).join(', ')}`,
    ...[String(count), files.join(' and '), sameAuthor ? 'yes' : 'no', isStacked ? 'yes' : 'no'],
    told ? told.map(({ kind, severity }) => `${kind}: \`${severity}\``).join(' · ') : 'no',
  ]),
])

/** The distance for `medium` that meets the targets on these repositories and tells the fewest pairs. */
function chosenOn(others: readonly Repository[]): number | undefined {
  const ten = pooled(replayAll(tenLines, others))
  const candidates = [0, 1, 2, 3, 5, 10].map((most) => {
    const rule = productRule({ judge: mediumWithin(most) })
    return { most, all: pooled(replayAll({ name: '', rule }, others)) }
  })
  const good = candidates.filter(
    ({ all }) =>
      all.high.right >= 0.8 * all.high.pairs && shareFound(all, ten) >= 0.85 && pairsTold(all) < pairsTold(ten),
  )
  return good.sort((a, b) => pairsTold(a.all) - pairsTold(b.all))[0]?.most
}

if (repositories.length > 2) {
  print('`medium` as the other repositories would choose it, measured on the one left out', [
    ['left out', 'unchanged lines', ...columns, 'of what 10 lines find'],
    ...repositories.map((one) => {
      const most = chosenOn(repositories.filter((other) => other !== one))
      if (most === undefined) return [one.name, 'none', ...columns.map(() => ''), '']
      const measured = replay(one, productRule({ judge: mediumWithin(most) }))
      const found = shareFound(measured, replay(one, tenLines.rule))
      return [one.name, String(most), ...figures(measured), `${percent(found, 1)} %`]
    }),
  ])
}
