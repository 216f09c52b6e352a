import { resolve } from 'node:path'
import { numberField, record, textField, textList } from '../client/json.ts'
import { readJsonFile, writeJsonFile } from '../client/work-state-file.ts'
import { gitIn } from '../git/git.ts'
import { locateWorkTree } from '../git/locate-work-tree.ts'
import type { Terminal } from '../terminal.ts'

/** The least time between two checks of a path, two heartbeats, or a failure and the next try. */
export const intervalMs = 60_000

/** What hooks save between two calls, per work tree. Times are in ms since 1970. */
export interface HookState {
  /** By path. */
  lastChecks: Record<string, number>
  lastHeartbeat: number
  lastFailure: number
  /** The digest of the scope and the changes that were sent last. */
  sentProgress: string
  /** Ids of the notables about the whole repository that were shown, by session. */
  shownNotables: Record<string, readonly string[]>
}

/** Notables are shown again to older sessions. */
const maxSessions = 20

export interface HookContext {
  /** The top of the work tree. */
  top: string
  state: HookState
  /** Of two concurrent saves one may be lost, which costs one more check. */
  save(change: Partial<HookState>): Promise<void>
}

/** The work tree and state of a hook, by one call of git; undefined outside of a work tree. */
export async function findHookContext(terminal: Terminal): Promise<HookContext | undefined> {
  const located = locateWorkTree(terminal)
  if ('refusal' in located) return undefined
  const { top } = located
  const { code, stdout } = await gitIn(located, terminal)('rev-parse', '--show-cdup', '--git-path', 'headsup')
  const [above, directory] = stdout.split('\n')
  if (code !== 0 || above !== '' || !directory) return undefined
  const file = resolve(top, directory, 'hooks.json')
  const read = () => readState(file, terminal.now())
  const save = async (change: Partial<HookState>) => writeJsonFile(file, { ...(await read()), ...change })
  return { top, state: await read(), save }
}

async function readState(file: string, now: number): Promise<HookState> {
  const saved = await readJsonFile(file)
  const lastChecks = Object.entries(record(saved, 'lastChecks')).flatMap(([path, at]) =>
    typeof at === 'number' && now - at < intervalMs ? [[path, at] as const] : [],
  )
  const shown = record(saved, 'shownNotables')
  const sessions = Object.keys(shown).slice(-maxSessions)
  return {
    lastChecks: Object.fromEntries(lastChecks),
    lastHeartbeat: numberField(saved, 'lastHeartbeat') ?? 0,
    lastFailure: numberField(saved, 'lastFailure') ?? 0,
    sentProgress: textField(saved, 'sentProgress') ?? '',
    shownNotables: Object.fromEntries(sessions.map((session) => [session, textList(shown, session)])),
  }
}

/** Whether it was within the last interval. A time in the future, after the clock was set back, is not recent. */
export function isRecent(at: number, now: number): boolean {
  return now >= at && now - at < intervalMs
}
