import { createFairLimit } from '../../lib/fair-limit.ts'
import type { Repository } from '../../records/repository/repository.ts'
import { type FilesDeps, nothingRead, type ReadingCounts, readFilesOfRepository } from './files-of-repository.ts'
import { completeFirstReadings, findUnreadRepositories } from './unread.sql.ts'

export interface FilesQueue {
  /** Reads unread pull requests until none is due. */
  run(): Promise<ReadingCounts>
  /** Announces unread pull requests: the current run looks again, and `onWake` may start one. */
  wake(): void
  /** Registers what starts a run. */
  onWake(start: () => void): void
}

/** How many pull requests are read at a time, over all repositories. */
const atOnce = 4

/** Reads the files of unread pull requests with the App (docs/rules.md#reading-with-the-app). */
export function createFilesQueue(options: Omit<FilesDeps, 'slots'>): FilesQueue {
  const refusal = () => new Error('too many readings wait')
  const deps = { ...options, slots: createFairLimit({ slots: atOnce, waiting: 1_000, waitMs: 600_000, refusal }) }
  const listeners: (() => void)[] = []
  return {
    wake() {
      for (const listener of listeners) listener()
    },
    onWake: (start) => void listeners.push(start),
    async run() {
      const run = createRun(deps)
      listeners.push(run.wake)
      try {
        return await run.ended
      } finally {
        listeners.splice(listeners.indexOf(run.wake), 1)
      }
    },
  }
}

/** One run of the queue. Repositories are read side by side; each is looked at again once its reading has ended. */
function createRun(deps: FilesDeps) {
  const counts = { ...nothingRead }
  const active = new Map<bigint, Promise<void>>()
  /** Repositories that another instance reads, or whose reading failed. */
  const left = new Set<bigint>()
  let failure: unknown
  let isWoken = false
  let lookAgain = () => {}

  function wake(): void {
    left.clear()
    isWoken = true
    lookAgain()
  }

  async function read(repository: Repository): Promise<void> {
    try {
      const more = await readFilesOfRepository(deps, repository)
      if (more === undefined) left.add(repository.id)
      else for (const what of ['read', 'changed', 'failed', 'paused'] as const) counts[what] += more[what]
    } catch (error) {
      left.add(repository.id)
      failure ??= error
    } finally {
      active.delete(repository.id)
    }
  }

  async function runAll(): Promise<ReadingCounts> {
    for (;;) {
      isWoken = false
      const woken = new Promise<void>((resolve) => {
        lookAgain = resolve
      })
      const due = deps.signal?.aborted
        ? []
        : await findUnreadRepositories(deps.db, deps.now(), [...active.keys(), ...left])
      for (const repository of due) active.set(repository.id, read(repository))
      if (active.size === 0 && !isWoken) break
      await Promise.race([woken, ...active.values()])
    }
    if (failure !== undefined) throw failure
    await completeFirstReadings(deps.db)
    return counts
  }

  return { wake, ended: runAll() }
}
