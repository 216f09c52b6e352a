import { decide } from '../../../src/core/overlap/decide.ts'
import { type StoredFile, workOf } from '../../../src/core/overlap/work.ts'
import { adviceLines } from '../../../src/core/texts/advice.ts'
import { type Findings as Found, reasonLines } from '../../../src/core/texts/answer.ts'

export const now = new Date('2026-11-20T12:00:00Z')
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)

/** A piece of work, as a story tells it. */
export interface Findings {
  actor?: string
  login?: string | null
  agent?: string | null
  title?: string
  branch?: string | null
  base?: string | null
  number?: number | null
  isPull?: boolean
  isStranger?: boolean
  blocking?: boolean
  paths?: string[]
  areas?: string[]
  issues?: number[]
  /** Lines by path: pairs, one after another; null where they are not known. */
  changes?: Record<string, number[] | null>
  statuses?: Record<string, StoredFile['status']>
  isIncomplete?: boolean
  begun?: number
  seen?: number | null
  pushed?: number | null
}

const areaPaths = new Map([['shop', ['shop/**']]])

function workIn({ base = null, areas = [], paths = [], issues = [], changes = {}, statuses = {}, isPull }: Findings) {
  const files = Object.entries(changes).map(([path, lines]) => ({
    ...{ path, status: statuses[path] ?? 'modified', lines: lines ?? [], has_lines: lines !== null },
    toldBy: isPull ? ('github' as const) : ('client' as const),
  }))
  const declared = { base_branch: base, areas, paths, issues, head: null, commits: [] }
  return workOf(declared, files, { areaPaths, isIgnored: (path) => path.endsWith('.lock') })
}

function other(told: Findings, at: number) {
  const { isPull = false, isStranger = false, blocking = false, begun = 3, seen = null, pushed = null } = told
  const { actor = 'Ana', login = null, agent = null, title = 'Rework the login', branch = 'login' } = told
  const number = told.number ?? null
  return {
    ...{
      id: `act_${9 - at}`,
      source: isPull ? ('pull_request' as const) : ('recorded' as const),
      isStranger,
      blocking,
    },
    ...{ actor, agent, title, branch, base_branch: told.base ?? null, number, pr_number: number, risk: 'low' as const },
    ...{ login, author_login: login, pull: null, commits: [], isPullRequest: isPull },
    isIncomplete: told.isIncomplete ?? false,
    began_at: hoursAgo(begun),
    seen_at: seen === null ? null : hoursAgo(seen),
    pushed_at: pushed === null ? null : hoursAgo(pushed),
    newestAt: hoursAgo(pushed ?? begun),
    work: workIn(told),
  }
}

export interface Note {
  title: string
  importance?: 'low' | 'medium' | 'high' | 'critical'
  blocking?: boolean
  paths?: string[]
  areas?: string[]
  login?: string | null
}

function notable(note: Note, at: number) {
  const { title, importance = 'medium', blocking = false, paths = [], areas = [], login = null } = note
  const expires_at = new Date('2026-11-27T00:00:00Z')
  const work = paths.length + areas.length === 0 ? null : workIn({ paths, areas })
  return {
    ...{ id: `ntb_${9 - at}`, title, importance, blocking, author_login: login },
    applies_until: null,
    expires_at,
    work,
  }
}

export interface Story {
  /** What the reader is about to do. */
  mine?: Findings
  others?: Findings[]
  notables?: Note[]
  observed?: Partial<Found['observed']>
  cut?: { members: boolean; strangers: boolean }
  isWideCut?: boolean
  ownBegun?: number
  ownId?: string
  ownEndedAs?: string
  reuse?: { number: number | null }[]
}

/** What the reader is told. */
export async function tell(story: Story): Promise<{ reason: string[]; advice: string[]; obstacles: string[] }> {
  const { mine = {}, others = [], notables = [], cut = { members: false, strangers: false } } = story
  const party = { branch: mine.branch ?? 'mine', base_branch: mine.base ?? null, isPullRequest: false, number: null }
  const read = { pull_requests: 'current' as const, as_of: hoursAgo(0), unread: 0, unlisted: 0, unreadOfStrangers: 0 }
  const observed = { ...read, ...story.observed }
  const isIncomplete = mine.isIncomplete ?? false
  const proposal = { ...party, login: mine.login ?? null, pull: null, commits: [], isIncomplete, work: workIn(mine) }
  const decision = await decide({
    proposal,
    ...{
      others: others.map(other),
      notables: notables.map(notable),
      cut,
      isWideCut: story.isWideCut ?? false,
      observed,
    },
    stack: { ancestors: new Set(), descendants: new Set() },
    defaultBranch: 'main',
  })
  const told = {
    ...{ decision, proposal, now, observed, reuse: story.reuse ?? [], ownId: story.ownId ?? null },
    ownBeganAt: story.ownBegun === undefined ? null : hoursAgo(story.ownBegun),
    ownEndedAs: story.ownEndedAs ?? null,
  }
  return { reason: reasonLines(told), advice: adviceLines(told), obstacles: decision.obstacles }
}
