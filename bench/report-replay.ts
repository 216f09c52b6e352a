import { defaultIgnoredAuthors, matchesAny } from '../src/core/changes/ignored.ts'
import { type ComparableWork, comparableWork } from '../src/core/rules/changed/changed-work.ts'
import { unlimitedBudget } from '../src/core/scope/match/work-budget.ts'
import { findCollidingPulls, type OtherWork } from '../src/service/report/colliding-pulls.ts'
import { nothingLeftOut, type ReportFacts } from '../src/service/report/report-facts.ts'
import { freshHeadlineOf, headlineOf } from '../src/service/report/report-text.ts'
import { affectedBy, isToBeWritten, type WrittenHeadline } from '../src/service/report/rewrite-rules.ts'
import { runToEnd } from '../test/support/compare-scopes.ts'
import { hotFilesOf } from './hot-files.ts'
import { ignoredByDefault, type PullRequest, type Repository } from './pull-requests.ts'
import { random } from './tree.ts'

export const pushesAnHour = 50
/** A check run that is refused for want of a suite, the suite, and the check run. */
const requestsOfNewHead = 3
const now = new Date('2026-11-20T12:00:00Z')

interface Simulated {
  pull: PullRequest
  work: ComparableWork
}

/** The check runs of one repository as the App would keep them. */
function reportsOf({ pullRequests }: Repository) {
  const open = new Map<number, Simulated>(
    pullRequests.map((pull) => [pull.number, { pull, work: comparableWork(pull.work) }]),
  )
  const written = new Map<number, { headline: WrittenHeadline; named: number[] }>()
  const isHot = hotFilesOf([...open.values()].map(({ work }) => work))

  function factsOf({ pull, work }: Simulated): ReportFacts {
    const others = [...open.values()].filter((other) => other.pull !== pull).map(asOther)
    const comparison = {
      ours: work,
      authorId: BigInt(pull.author),
      counting: {
        ignoredAuthors: defaultIgnoredAuthors,
        maxFiles: 100,
        isIgnored,
        hot: new Map([[pull.base, new Set([...work.byPath.keys()].filter((path) => isHot(path)))]]),
      },
      isPublic: true,
      now,
      staleAfterMs: Number.POSITIVE_INFINITY,
    }
    const found = runToEnd(findCollidingPulls(others, comparison, unlimitedBudget()))
    const isDirty = pull.base_conflicts.length > 0
    const rest = { base: pull.base, merged: [], ...nothingLeftOut, pageUrl: null }
    return isDirty
      ? { ...rest, colliding: [], nearbyCount: 0, notCompared: 'dirty' }
      : { ...rest, ...found, notCompared: null }
  }

  function look(number: number): { isNew: boolean; isWritten: boolean; named: number[] } {
    const simulated = open.get(number)
    if (!simulated) return { isNew: false, isWritten: false, named: [] }
    const facts = factsOf(simulated)
    const headline = { ...headlineOf(facts), fresh: freshHeadlineOf(facts) }
    const before = written.get(number)
    const isWritten = isToBeWritten(before?.headline ?? null, headline)
    const named = facts.colliding.map((one) => one.number)
    written.set(number, { headline: isWritten ? headline : (before?.headline ?? headline), named })
    return { isNew: before === undefined, isWritten, named }
  }

  return {
    /** A push of this pull request. Returns how many check runs are created and rewritten. */
    push(number: number, work: ComparableWork): { created: number; rewritten: number } {
      const simulated = open.get(number)
      if (!simulated) return { created: 0, rewritten: 0 }
      open.set(number, { ...simulated, work })
      const namedBefore = [
        ...(written.get(number)?.named ?? []),
        ...[...written].flatMap(([other, { named }]) => (named.includes(number) ? other : [])),
      ]
      // A new head has no check run.
      written.delete(number)
      const { named } = look(number)
      const others = affectedBy([number], named, namedBefore).filter((other) => written.has(other))
      return { created: 1, rewritten: others.filter((other) => look(other).isWritten).length }
    },
    titles: () => pullRequests.map((pull) => headlineOf(factsOf({ pull, work: comparableWork(pull.work) })).title),
  }
}

function asOther({ pull, work }: Simulated): OtherWork {
  const login = work.work.author
  return {
    source: 'pull_request',
    ...{ changed: work, actor: login ?? 'ghost', author_login: login, author_id: BigInt(pull.author) },
    ...{ seen_at: now, began_at: now, blocking: false, risk: 'low', branch: `branch-${pull.number}` },
    pull: { number: pull.number, is_fork: false, head_ref: 'head', head_sha: pull.head_sha, association: 'MEMBER' },
  }
}

const ignored = new Map<string, boolean>()

function isIgnored(path: string): boolean {
  const known = ignored.get(path) ?? matchesAny(path, ignoredByDefault)
  ignored.set(path, known)
  return known
}

/** What a push leaves of a pull request: some of its files, or all of them again. */
function afterPush({ work }: PullRequest, next: () => number): ComparableWork {
  const files = next() < 0.5 ? work.files : work.files.filter(() => next() < 0.6)
  return comparableWork({ ...work, files, filesTotal: files.length })
}

/** What the check runs of all open pull requests of a repository say. */
export function titlesOf(repository: Repository): string[] {
  return reportsOf(repository).titles()
}

export interface SimulatedHours {
  /** How many requests write in each hour. */
  perHour: number[]
  created: number
  rewritten: number
}

/** So many hours of random pushes, the same in each run. */
export function simulatePushes(repository: Repository, hours: number): SimulatedHours {
  const next = random(7)
  const reports = reportsOf(repository)
  const perHour: number[] = []
  const sum = { created: 0, rewritten: 0 }
  for (let hour = 0; hour < hours; hour++) {
    let requests = 0
    for (let n = 0; n < pushesAnHour; n++) {
      const pull = repository.pullRequests[Math.floor(next() * repository.pullRequests.length)]
      if (!pull) continue
      const { created, rewritten } = reports.push(pull.number, afterPush(pull, next))
      sum.created += created
      sum.rewritten += rewritten
      requests += created * requestsOfNewHead + rewritten
    }
    perHour.push(requests)
  }
  return { perHour, ...sum }
}
