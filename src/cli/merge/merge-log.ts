import { dirname, join } from 'node:path'
import { type Json, numberField, record } from '../client/json.ts'
import { formatDuration } from '../output/plain-text.ts'
import type { Terminal } from '../terminal.ts'
import type { OverlapAfterMerges } from './answer/after-merges.ts'
import { keptFolder, readOwn, saveOwn } from './kept/kept-files.ts'

/** What is counted of the tries on this machine. It is sent nowhere. */
export interface MergeCounts {
  /** Answers with work that could be tried. */
  answers: number
  /** Of these, the ones in which something was not tried. */
  untried: number
  /** The same ones by each of their reasons. */
  by_reason: Readonly<Record<string, number>>
  /** Answers that had more work than is tried, and how much that was. */
  cut: number
  cut_works: number
  /** Works by the severity by lines and what the merge said: `high clean`. */
  works: Readonly<Record<string, number>>
}

const nothing: MergeCounts = { answers: 0, untried: 0, by_reason: {}, cut: 0, cut_works: 0, works: {} }

type Caller = 'check' | 'hook'

export interface MergeLog {
  /** When it begins, in milliseconds since 1970. */
  since: number
  check: MergeCounts
  hook: MergeCounts
}

/** After so long it begins anew. */
const periodMs = 30 * 24 * 3_600_000

export function mergeLogFile(env: NodeJS.ProcessEnv): string | undefined {
  const folder = keptFolder(env)
  return folder && join(dirname(folder), 'merge-log.json')
}

export function readMergeLog({ env, now }: Pick<Terminal, 'env' | 'now'>): MergeLog {
  const file = mergeLogFile(env)
  const saved = file === undefined ? {} : readOwn(file)
  const since = numberField(saved, 'since')
  if (since === undefined || now() < since || now() - since > periodMs)
    return { since: now(), check: nothing, hook: nothing }
  return { since, check: countsIn(record(saved, 'check')), hook: countsIn(record(saved, 'hook')) }
}

/** Counts one answer. Where that fails, the log lacks it. */
export function countTry(
  terminal: Pick<Terminal, 'env' | 'now'>,
  caller: Caller,
  { tried, cut }: Pick<OverlapAfterMerges, 'tried' | 'cut'>,
): void {
  const file = mergeLogFile(terminal.env)
  if (file === undefined || tried.some(({ result }) => result.merge_reason === 'off')) return
  const log = readMergeLog(terminal)
  saveOwn(file, { ...log, [caller]: addTry(log[caller], { tried, cut }) })
}

export function addTry(counts: MergeCounts, { tried, cut }: Pick<OverlapAfterMerges, 'tried' | 'cut'>): MergeCounts {
  const reasons = new Set(tried.flatMap(({ result }) => result.merge_reason ?? []))
  const works = tried.map(({ received, result }) => `${received.known.severity ?? 'nearby'} ${result.merge}`)
  return {
    answers: counts.answers + 1,
    untried: counts.untried + Number(reasons.size > 0),
    by_reason: plusOneFor(counts.by_reason, [...reasons]),
    cut: counts.cut + Number(cut > 0),
    cut_works: counts.cut_works + cut,
    works: plusOneFor(counts.works, works),
  }
}

function plusOneFor(counts: MergeCounts['works'], names: readonly string[]): Record<string, number> {
  const sum: Record<string, number> = { ...counts }
  for (const name of names) sum[name] = (sum[name] ?? 0) + 1
  return sum
}

/** What was not tried, as a sentence; undefined where nothing was to be tried. */
export function describeLog(log: MergeLog, now: number): string | undefined {
  const sides = [
    ['check', log.check],
    ['hook', log.hook],
  ] as const
  const texts = sides.flatMap(([name, counts]) => (counts.answers === 0 ? [] : describeCounts(name, counts)))
  return texts.length === 0 ? undefined : `Within ${formatDuration(now - log.since)}: ${texts.join('; ')}.`
}

function describeCounts(name: string, { answers, untried, by_reason, cut, cut_works }: MergeCounts): string {
  const reasons = Object.entries(by_reason).toSorted(([, a], [, b]) => b - a)
  const why = untried === 0 ? '' : ` (${reasons.map(([reason, count]) => `${reason} ${count}`).join(', ')})`
  const left = cut === 0 ? '' : `, in ${cut} of them ${cut_works} beyond the limit`
  return `${answers} ${name}${answers === 1 ? '' : 's'} with work to try, ${untried} with something not tried${why}${left}`
}

function countsIn(saved: Json): MergeCounts {
  const count = (key: string) => numberField(saved, key) ?? 0
  return {
    answers: count('answers'),
    untried: count('untried'),
    by_reason: numbersIn(record(saved, 'by_reason')),
    cut: count('cut'),
    cut_works: count('cut_works'),
    works: numbersIn(record(saved, 'works')),
  }
}

function numbersIn(saved: Json): Record<string, number> {
  const entries = Object.entries(saved).flatMap(([key, value]) =>
    typeof value === 'number' ? [[key, value] as const] : [],
  )
  return Object.fromEntries(entries)
}
