import { lstatSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Json } from '../../client/json.ts'
import type { CommandContext } from '../../command-context.ts'
import { locateWorkTree } from '../../git/locate-work-tree.ts'
import { formatDuration } from '../../output/plain-text.ts'
import { afterMerges } from '../answer/after-merges.ts'
import { readCandidates } from '../answer/read-candidates.ts'
import { countTry } from '../merge-log.ts'
import { fetchInBackground } from './fetch-in-background.ts'
import { keptPlaceOf } from './kept-files.ts'
import { tryKept } from './try-kept.ts'

const maxFileBytes = 512 * 1024

/** The answer of a check, after its candidates are tried with what is kept of them. Hooks do not wait for the server. */
export async function afterKept(
  { terminal, token, args, tree }: Pick<CommandContext, 'terminal' | 'token' | 'args' | 'tree'>,
  overlap: Json,
  { planned, fetches }: { planned: ReadonlyMap<string, string | null>; fetches: boolean },
): Promise<Json> {
  const workTree = locateWorkTree(terminal)
  const place = 'refusal' in workTree ? undefined : keptPlaceOf(terminal.env, workTree, token)
  if (!place || 'refusal' in workTree) return overlap
  const candidates = readCandidates(overlap).map(({ candidate }) => candidate)
  if (fetches) fetchInBackground({ terminal, args, place, top: workTree.top }, [candidates, tree?.head])
  const merges = await tryKept({
    ...{ workTree, place, terminal, temporary: tmpdir(), milliseconds: terminal.changesLimitMs, candidates },
    contentOf(path) {
      const content = planned.get(path)
      if (content === undefined) return readFile(join(workTree.top, path))
      return content === null ? null : Buffer.from(content)
    },
  })
  const age = terminal.now() - merges.tried_at
  const when = age < 60_000 ? 'just now' : `${formatDuration(age)} ago`
  const after = afterMerges(overlap, merges, `Tried with what was fetched ${when}`)
  countTry(terminal, 'hook', after)
  return after.overlap
}

function readFile(path: string): Buffer | null | undefined {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (!found) return undefined
    return found.isFile() && found.size <= maxFileBytes ? readFileSync(path) : null
  } catch {
    return null
  }
}
