import { resolve } from 'node:path'
import { numberField, record, textList } from '../client/json.ts'
import { readJsonFile, writeJsonFile } from '../client/work-state-file.ts'
import { gitIn } from '../git/git.ts'
import { locateWorkTree } from '../git/locate-work-tree.ts'
import type { Terminal } from '../terminal.ts'

/** What hooks do at most once in so long: a check of a path, a heartbeat, a try after one that failed. */
export const oncePerMs = 60_000

export interface HookState {
  /** When each path was checked last, in ms since 1970. */
  checked: Record<string, number>
  beaten: number
  failed: number
  /** The scope that the service was told last. */
  scope: string
  /** The notables that were told once, by session: those of the last sessions. */
  shown: Record<string, readonly string[]>
}

/** Older sessions are told once more. */
const mostSessions = 20

export interface HookContext {
  top: string
  /** The directory of what is remembered. */
  memory: string
  state: HookState
  /** Two that write at once lose one of both: a check too many. */
  save(change: Partial<HookState>): Promise<void>
}

/** The work tree of a hook by one call of git; undefined outside of any. */
export async function findHookContext(terminal: Terminal): Promise<HookContext | undefined> {
  const located = locateWorkTree(terminal)
  if ('refusal' in located) return undefined
  const { top } = located
  const { now } = terminal
  const { code, stdout } = await gitIn(located, terminal)('rev-parse', '--show-cdup', '--git-path', 'headsup')
  const [above, path] = stdout.split('\n')
  if (code !== 0 || above !== '' || !path) return undefined
  const memory = resolve(top, path)
  const file = `${memory}/hooks.json`
  const read = async (): Promise<HookState> => {
    const saved = await readJsonFile(file)
    const checked = Object.entries(record(saved, 'checked')).flatMap(([name, at]) =>
      typeof at === 'number' && now() - at < oncePerMs ? [[name, at] as const] : [],
    )
    const shown = record(saved, 'shown')
    return {
      checked: Object.fromEntries(checked),
      beaten: numberField(saved, 'beaten') ?? 0,
      failed: numberField(saved, 'failed') ?? 0,
      scope: typeof saved.scope === 'string' ? saved.scope : '',
      shown: Object.fromEntries(
        Object.keys(shown)
          .slice(-mostSessions)
          .map((session) => [session, textList(shown, session)]),
      ),
    }
  }
  const save = async (change: Partial<HookState>) => writeJsonFile(file, { ...(await read()), ...change })
  return { top, memory, state: await read(), save }
}

/** Whether it was within the last minute; a clock that was set back counts as long ago. */
export function isRecent(at: number, now: number): boolean {
  return now >= at && now - at < oncePerMs
}
