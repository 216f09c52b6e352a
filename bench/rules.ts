import { defaultIgnoredAuthors, matchesAny } from '../src/core/changes/ignored.ts'
import type { Severity } from '../src/core/enums.ts'
import { type ComparableWork, comparableWork, mayCollide } from '../src/core/rules/changed/changed-work.ts'
import {
  type CountingRules,
  compareChanges,
  type FileOverlap,
  sharedFiles,
} from '../src/core/rules/changed/compare-changes.ts'
import {
  type JudgedSameChange,
  judgeSameChange,
  type SameChange,
} from '../src/core/rules/duplicates/same-change-rules.ts'
import { hotFilesOf } from './hot-files.ts'
import { ignoredByDefault, type PullRequest, type Repository } from './pull-requests.ts'

/** How bad two pull requests are for each other; null: not told. */
export type Decide = (a: PullRequest, b: PullRequest) => Severity | null

/** A rule, ready for the pull requests of one repository. */
export type Rule = (repository: Repository) => Decide

interface CountingRulesByBase {
  ignoredPaths: boolean
  ignoredAuthors: boolean
  hotFiles: boolean
  maxFiles: boolean
  stacked: boolean
  /** Whether a range of two lines is read as an insertion: the data does not say. */
  insertions: boolean
  /** Whether files that both leave with the same content do not collide. */
  equalFiles: boolean
  /** Another judgement of a file than the product's. */
  judge(file: FileOverlap, isHotFile: boolean): Severity | null
}

/** The product's own decision, with each of its counting rules or without. */
export function productRule(changed: Partial<CountingRulesByBase> = {}): Rule {
  const counting: CountingRulesByBase = {
    ignoredPaths: true,
    ignoredAuthors: true,
    hotFiles: true,
    maxFiles: true,
    stacked: true,
    insertions: true,
    equalFiles: true,
    judge: ({ severity }) => severity,
    ...changed,
  }
  return ({ pullRequests }) => {
    const works = new Map<PullRequest, ComparableWork>()
    for (const pullRequest of pullRequests) {
      const work = counting.stacked ? pullRequest.work : { ...pullRequest.work, headSha: null }
      const files = work.files.map((file) => ({
        ...file,
        ...(!counting.insertions && { inserts: [] }),
        ...(!counting.equalFiles && { blob: undefined }),
      }))
      works.set(pullRequest, comparableWork({ ...work, files }))
    }
    const isHot = hotFilesOf([...works.values()])
    const isHotFile = (path: string) => counting.hotFiles && isHot(path)
    const rules = {
      ...{ ...productRules, isHot: isHotFile },
      ...(!counting.ignoredAuthors && { ignoredAuthors: [] }),
      ...(!counting.ignoredPaths && { isIgnored: () => false }),
      ...(!counting.maxFiles && { maxFiles: Number.POSITIVE_INFINITY }),
    }
    return (a, b) => {
      const [ours, theirs] = [works.get(a), works.get(b)]
      const overlap = ours && theirs && compareChanges(ours, theirs, rules)
      const severities = overlap?.files.map((file) => counting.judge(file, isHotFile(file.path))) ?? []
      return severities.includes('high') ? 'high' : severities.includes('medium') ? 'medium' : null
    }
  }
}

const productRules: CountingRules = {
  ignoredAuthors: defaultIgnoredAuthors,
  isIgnored,
  maxFiles: 100,
  isHot: () => false,
}

/** Two pull requests with equal files, and how they are told as the same change; null: not at all. */
export interface EqualPair {
  numbers: [number, number]
  /** How many files are equal, and how many each of the two changes, without ignored ones. */
  equal: number
  files: [number, number]
  sameAuthor: boolean
  isStacked: boolean
  /** What each of the two is told, where the first began before. */
  told: [JudgedSameChange, JudgedSameChange] | null
}

/** The pairs of open pull requests that leave a file with the same content, as the product tells them. */
export function equalPairs({ pullRequests }: Repository): EqualPair[] {
  // Without its head, a stacked pull request is compared too.
  const works = pullRequests.map((one) => ({ one, apart: comparableWork({ ...one.work, headSha: null }) }))
  return works.flatMap(({ one: a, apart: ours }, n) =>
    works.slice(n + 1).flatMap(({ one: b, apart: theirs }): EqualPair[] => {
      const equal = sharedFiles(ours, theirs, productRules).filter(isEqual)
      if (equal.length === 0) return []
      const same = compareChanges(comparableWork(a.work), comparableWork(b.work), productRules)?.sameChange ?? null
      const sameAuthor = a.author === b.author
      const judge = (isFirst: boolean, seen: SameChange) =>
        judgeSameChange(seen, { isFirst, isOwn: sameAuthor, isFromOutside: false })
      const turned = same && { ...same, ours: same.theirs, theirs: same.ours }
      const countOf = ({ files }: PullRequest) => files.filter(({ path }) => !isIgnored(path)).length
      return [
        {
          numbers: [a.number, b.number],
          equal: equal.length,
          files: [countOf(a), countOf(b)],
          sameAuthor,
          isStacked: !mayCollide(a.work, b.work),
          told: same && turned && [judge(true, same), judge(false, turned)],
        },
      ]
    }),
  )
}

function isEqual({ proximity }: FileOverlap): boolean {
  return proximity === 'same content'
}

/** `medium` up to so many unchanged lines between two changes. */
export function mediumWithin(most: number): CountingRulesByBase['judge'] {
  return ({ severity, proximity, distance }) => {
    if (severity !== 'medium' && proximity !== 'far lines') return severity
    return distance !== null && distance <= most ? 'medium' : null
  }
}

interface LineRule {
  /** `medium` too, up to so many lines. */
  mediumWithin?: number
  /** Whether `medium` counts in hot files. */
  inHotFiles?: boolean
  ignoredPaths?: boolean
  bots?: boolean
}

/**
 * The rules that the data's own page measures: `high` up to so many lines from range to range, 0 where they share a line;
 * null: every file that both change.
 */
export function lineRule(highWithin: number | null, options: LineRule = {}): Rule {
  const { mediumWithin, inHotFiles = true, ignoredPaths = true, bots = highWithin === null } = options
  return ({ pullRequests }) => {
    const isHot = hotFilesOf(pullRequests.map((one) => comparableWork(one.work)))
    const byPath = new Map(
      pullRequests.map((one) => {
        const counted = one.files.filter(({ path }) => !ignoredPaths || !isIgnored(path))
        return [one, new Map(counted.map((file) => [file.path, file]))]
      }),
    )
    return (a, b) => {
      if ((!bots && (a.bot || b.bot)) || !mayCollide(a.work, b.work)) return null
      let found: Severity | null = null
      for (const [path, file] of byPath.get(a) ?? []) {
        const other = byPath.get(b)?.get(path)
        if (!other) continue
        if (isNear(file, other, highWithin)) return 'high'
        const isCounted = inHotFiles || !isHot(path)
        if (mediumWithin !== undefined && isCounted && isNear(file, other, mediumWithin)) found = 'medium'
      }
      return found
    }
  }
}

const ignored = new Map<string, boolean>()

function isIgnored(path: string): boolean {
  const known = ignored.get(path) ?? matchesAny(path, ignoredByDefault)
  ignored.set(path, known)
  return known
}

type ChangedFile = PullRequest['files'][number]

function isNear(a: ChangedFile, b: ChangedFile, distance: number | null): boolean {
  if (distance === null || [a, b].some(({ status }) => status === 'added' || status === 'removed')) return true
  return a.ranges.some(([from, to]) =>
    b.ranges.some(([first, last]) => from - distance <= last && first - distance <= to),
  )
}
