import { issuesClosedBy } from '../src/service/observed/closing-keywords.ts'
import { findMirrors } from './merges/mirrors.ts'
import { type MergedPull, openStore, readHistory, textOf } from './merges/read-history.ts'
import { pairOf, readRepositories } from './pull-requests.ts'
import { productRule } from './rules.ts'
import { print } from './tables.ts'

/**
 * How many pairs of pull requests name the same issue, by the closing keywords in their commit messages: a lower bound, since
 * most keywords are in bodies, which are not in git. `HEADSUP_BENCH_HISTORIES` names the folder of the mirrors.
 */
const newest = 4000
/** A pull request with more commits is a backport or a whole branch, with the messages of others. */
const mostCommits = 50
const mirrors = findMirrors()
const repositories = readRepositories(new URL('../../bench/open-prs/', import.meta.url))

/** Whether the message is not that of a commit of another pull request, merged before. */
const isOwn = (message: string) => !/^(?:.*\(#\d+\)|Merge pull request .*)$/.test(message.trim().split('\n')[0] ?? '')

interface Naming {
  issues: number[]
}

/** Each pair that names an issue in common. Of several issues only the first one is listed. */
function pairsNaming<Work extends Naming>(works: readonly Work[]): { issue: number; a: Work; b: Work }[] {
  return works.flatMap((a, n) =>
    works.slice(n + 1).flatMap((b) => {
      const issue = a.issues.find((number) => b.issues.includes(number))
      return issue === undefined ? [] : [{ issue, a, b }]
    }),
  )
}

const rate = (pairs: number, pulls: number) => `${pairs}: ${((100 * pairs) / pulls).toFixed(1)} per 100`

const openRows: string[][] = []
const openPairs: string[][] = []
const mergedRows: string[][] = []
const mergedPairs: string[][] = []
const totals = { open: 0, openNaming: 0, openPairs: 0, merged: 0, mergedNaming: 0, mergedPairs: 0 }
for (const [n, { name, mirror }] of mirrors.entries()) {
  const [owner = '', repository = ''] = name.split('/')
  const open = repositories[n]
  if (open === undefined) throw new Error(`No open pull requests of ${name} are stored.`)
  const at = openStore(mirror)
  try {
    const refs = await textOf(at, [`--git-dir=${mirror}`, 'for-each-ref', '--format=%(refname)', 'refs/pull'])
    const pulls = new Set([...refs.matchAll(/^refs\/pull\/(\d+)\//gm)].map(([, number]) => Number(number)))
    const issuesIn = (messages: readonly string[]) => {
      const closed = messages
        .filter(isOwn)
        .flatMap((body) =>
          issuesClosedBy({ title: '', body }, { owner, name: repository, serverUrl: 'https://github.com' }),
        )
      return [...new Set(closed)].filter((number) => !pulls.has(number))
    }
    const history = await readHistory(at, mirror, newest, () => true)

    const works = []
    for (const pull of open.pullRequests) {
      const log = ['log', '--no-merges', '--format=%B%x00', `${open.tip}..${pull.head_sha}`]
      works.push({ pull, issues: issuesIn((await textOf(at, log)).split('\0')) })
    }
    const decide = productRule()(open)
    const told = pairsNaming(works)
      .map(({ issue, a, b }) => ({ issue, a: a.pull, b: b.pull }))
      .filter(({ a, b }) => !a.work.commits.has(b.head_sha))
    for (const { issue, a, b } of told) {
      const shared = a.files.filter(({ path }) => b.files.some((file) => file.path === path)).length
      const isConflict = open.conflicts.some(({ pair }) => pair === pairOf(a.number, b.number))
      const isKnown = [a, b].every((pull) => open.mergeable.includes(pull))
      openPairs.push([
        `${name}#${issue}`,
        `#${a.number}, #${b.number}${a.author === b.author ? ' (one author)' : ''}`,
        `${shared} of ${a.files.length} and ${b.files.length}`,
        decide(a, b) ?? 'nothing',
        isKnown ? (isConflict ? 'yes' : 'no') : 'not known',
      ])
    }
    const named = works.filter(({ issues }) => issues.length > 0).length
    openRows.push([name, String(works.length), String(named), rate(told.length, works.length)])
    totals.open += works.length
    totals.openNaming += named
    totals.openPairs += told.length

    const messages = new Map<string, string>()
    const chains = history.pulls.flatMap(({ chain }) => chain)
    const log = await textOf(at, ['log', '--no-walk', '--stdin', '--format=%H %B%x00'], chains.join('\n'))
    for (const entry of log.split('\0')) messages.set(entry.trim().slice(0, 40), entry.trim().slice(41))
    const own = history.pulls.filter(({ chain }) => chain.length <= mostCommits)
    const merged = own.map((pull) => ({
      ...pull,
      began: Math.min(...pull.chain.map((id) => history.commits.get(id)?.authoredAt ?? Number.POSITIVE_INFINITY)),
      issues: issuesIn(pull.chain.map((id) => messages.get(id) ?? '')),
    }))
    const isStacked = (a: MergedPull, b: MergedPull) => a.chain.some((id) => id === b.commit || b.chain.includes(id))
    const together = pairsNaming(merged).filter(
      ({ a, b }) => a.began < b.mergedAt && b.began < a.mergedAt && !isStacked(a, b) && !isStacked(b, a),
    )
    for (const { issue, a, b } of together) {
      const day = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10)
      mergedPairs.push([
        `${name}#${issue}`,
        ...[a, b].map(({ number, began, mergedAt }) => `#${number}, ${day(began)} to ${day(mergedAt)}`),
      ])
    }
    const closing = merged.filter(({ issues }) => issues.length > 0).length
    mergedRows.push([name, String(merged.length), String(closing), rate(together.length, merged.length)])
    totals.merged += merged.length
    totals.mergedNaming += closing
    totals.mergedPairs += together.length
  } finally {
    at.git.kill()
    at.store.remove()
  }
}

const head = ['', 'pull requests', 'that name an issue', 'pairs that name one']
print('Open on 2026-08-22', [
  head,
  ...openRows,
  ['pooled', String(totals.open), String(totals.openNaming), rate(totals.openPairs, totals.open)],
])
print('Each pair', [['issue', 'pull requests', 'files in common', 'by lines', 'conflict'], ...openPairs])
print('Open together, and both merged', [
  head,
  ...mergedRows,
  ['pooled', String(totals.merged), String(totals.mergedNaming), rate(totals.mergedPairs, totals.merged)],
])
print('Each pair', [['issue', 'one', 'the other'], ...mergedPairs])
