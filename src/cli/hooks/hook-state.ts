import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Json, numberField, record, textField, textList } from '../client/json.ts'
import { withLock } from '../client/work/lock-file.ts'
import { readJsonFile, writeJsonFile } from '../client/work/work-state-file.ts'
import { gitIn } from '../git/git.ts'
import { isOwnedByUser, locateWorkTree } from '../git/locate-work-tree.ts'
import { stateDirectoryOf } from '../git/work-tree.ts'
import type { Terminal } from '../terminal.ts'

/** The least time between two checks of a path, two heartbeats, or a failure and the next try. */
export const intervalMs = 60_000

/** What hooks save between two calls, per work tree. Times are in ms since 1970. */
export interface HookState {
  /** By path and lines. */
  lastChecks: Record<string, number>
  lastHeartbeat: number
  /** When a hook before an edit last recorded something. */
  recordedAt: number
  /** When a hook last failed, by hook and cause. */
  failures: Record<string, number>
  /** The digest of what collides with the record or is near it, as the last hook in the minute after a recorded edit found it. */
  nearRecord: string
  /** The digest of the scope and the changes of the last request. */
  sentProgress: string
  /** The values of the last request. */
  sentWork: SentWork
  /** The severity of the collisions that were shown to a session, by session and id. */
  toldCollisions: Record<string, Readonly<Record<string, string>>>
  /** Lines for the model of a session that no hook could print yet, by session. */
  pendingLines: Record<string, readonly string[]>
  /** Ids of the notables about the whole repository that were shown, by session. */
  shownNotables: Record<string, readonly string[]>
  /** The message about a remote on another forge, which is shown once. */
  toldOtherForge: string
}

/** The fields of an activity's record that the hooks have sent. */
export interface SentWork {
  activity: string
  /** When it was sent, in ms. Commands may have changed the record since. */
  at: number
  /** The globs of its scope. */
  paths: readonly string[]
  /** Digests of its changes, by file. */
  files: Readonly<Record<string, string>>
}

/** How many sessions are kept. The collisions of older sessions are forgotten and shown again. */
const maxSessions = 20

export interface HookContext {
  /** The top of the work tree. */
  top: string
  state: HookState
  /** Applies a change to the saved state, which another hook may have changed since `state` was read. */
  save(change: (now: HookState) => Partial<HookState>): Promise<void>
}

/** The work tree and state of a hook; undefined outside of a work tree. */
export async function findHookContext(
  terminal: Pick<Terminal, 'cwd' | 'env' | 'signal' | 'now'>,
): Promise<HookContext | undefined> {
  const located = locateWorkTree(terminal)
  if ('refusal' in located) return undefined
  // git decides about the directories of other users, and most hooks would start it for nothing else.
  const isTrusted = isOwnedByUser(located) || (await gitIn(located, terminal)('rev-parse', '--git-dir')).code === 0
  if (!isTrusted) return undefined
  const { top } = located
  const file = join(stateDirectoryOf(located), 'hooks.json')
  const read = () => readState(file, terminal.now())
  const save: HookContext['save'] = async (change) => {
    await mkdir(dirname(file), { recursive: true })
    await withLock(`${file}.lock`, async () => {
      const now = await read()
      await writeJsonFile(file, { ...now, ...change(now) })
    })
  }
  return { top, state: await read(), save }
}

async function readState(file: string, now: number): Promise<HookState> {
  const saved = await readJsonFile(file)
  const told = lastSessions(record(saved, 'toldCollisions'))
  const sentWork = record(saved, 'sentWork')
  return {
    lastChecks: recentTimes(record(saved, 'lastChecks'), now),
    lastHeartbeat: numberField(saved, 'lastHeartbeat') ?? 0,
    recordedAt: numberField(saved, 'recordedAt') ?? 0,
    failures: recentTimes(record(saved, 'failures'), now),
    nearRecord: textField(saved, 'nearRecord') ?? '',
    sentProgress: textField(saved, 'sentProgress') ?? '',
    sentWork: {
      activity: textField(sentWork, 'activity') ?? '',
      at: numberField(sentWork, 'at') ?? 0,
      paths: textList(sentWork, 'paths'),
      files: textsOf(record(sentWork, 'files')),
    },
    toldCollisions: Object.fromEntries(Object.keys(told).map((session) => [session, textsOf(record(told, session))])),
    pendingLines: listsBySession(record(saved, 'pendingLines')),
    shownNotables: listsBySession(record(saved, 'shownNotables')),
    toldOtherForge: textField(saved, 'toldOtherForge') ?? '',
  }
}

function recentTimes(times: Json, now: number): Record<string, number> {
  const recent = Object.entries(times).flatMap(([key, at]) =>
    typeof at === 'number' && now - at < intervalMs ? [[key, at] as const] : [],
  )
  return Object.fromEntries(recent)
}

function lastSessions(bySession: Json): Json {
  return Object.fromEntries(Object.entries(bySession).slice(-maxSessions))
}

function listsBySession(bySession: Json): Record<string, readonly string[]> {
  const sessions = lastSessions(bySession)
  return Object.fromEntries(Object.keys(sessions).map((session) => [session, textList(sessions, session)]))
}

function textsOf(from: Json): Record<string, string> {
  const texts = Object.entries(from).flatMap(([key, value]) =>
    typeof value === 'string' ? [[key, value] as const] : [],
  )
  return Object.fromEntries(texts)
}

/** The same record with this session last, so that it is forgotten last. */
export function withSession<T>(
  bySession: Readonly<Record<string, T>>,
  session: string,
  value: NoInfer<T>,
): Record<string, T> {
  const { [session]: _, ...others } = bySession
  return { ...others, [session]: value }
}

/** Whether it was within the last interval. A time in the future, after the clock was set back, is not recent. */
export function isRecent(at: number, now: number): boolean {
  return now >= at && now - at < intervalMs
}
