import { tmpdir } from 'node:os'
import type { Json } from '../client/json.ts'
import { textField } from '../client/json.ts'
import { readServiceInfo } from '../client/service-info.ts'
import type { CommandContext } from '../command-context.ts'
import { Failure } from '../failure.ts'
import type { Bases } from '../git/base-branch.ts'
import { locateWorkTree } from '../git/locate-work-tree.ts'
import { formatDuration } from '../output/plain-text.ts'
import type { Terminal } from '../terminal.ts'
import { afterMerges, type OverlapAfterMerges } from './answer/after-merges.ts'
import { readCandidates } from './answer/read-candidates.ts'
import { findFetchSource } from './git/fetch-source.ts'
import { keptPlaceOf } from './kept/kept-files.ts'
import { NotTried, notTried, type TriedMerges } from './merge-result.ts'
import { isSwitchedOff } from './switched-off.ts'
import { readMergeLimits, tryMerges } from './try-merges.ts'

interface Context extends Pick<CommandContext, 'args' | 'config' | 'repository' | 'service' | 'token' | 'readChanges'> {
  terminal: Pick<Terminal, 'cwd' | 'env' | 'platform' | 'signal' | 'now'>
}

/**
 * Tries the merges with the candidates of an answer, and says what that changes of it. A failure is "not tried", never an error
 * (docs/rules.md#answers-after-merges).
 */
export async function tryCandidates(context: Context, overlap: Json, bases: Bases): Promise<OverlapAfterMerges> {
  const candidates = readCandidates(overlap).map(({ candidate }) => candidate)
  const branch = bases.base?.name ?? bases.defaultBranch ?? ''
  try {
    const merges = await tryAll()
    return afterMerges(overlap, merges, whenTried(merges, context.terminal.now()))
  } catch (error) {
    const reason = error instanceof NotTried ? error.reason : error instanceof Failure ? 'network' : 'failed'
    const target = { branch, sha: null, merge: 'not_tried' as const, paths: [] }
    const results = candidates.map((candidate) => notTried(candidate, reason))
    return afterMerges(overlap, { tried_at: context.terminal.now(), target, results }, '')
  }

  async function tryAll(): Promise<TriedMerges> {
    const { terminal, config, repository, token } = context
    if (isSwitchedOff(context)) throw new NotTried('off')
    const workTree = locateWorkTree(terminal)
    if ('refusal' in workTree) throw new NotTried('no_remote')
    const source = findFetchSource({ config, repository, githubServer: await githubServer(context), token })
    const changes = await context.readChanges(bases.base)
    const paths = changes?.files.flatMap(({ path, previous_path }) => [path, previous_path ?? path])
    return tryMerges({
      ...{ workTree, baseBranch: branch, candidates, source, terminal, limits: readMergeLimits(terminal) },
      ...{ changedPaths: new Set(paths), temporary: tmpdir(), place: keptPlaceOf(terminal.env, workTree, token) },
    })
  }
}

/** Where nothing has moved, the last try answers. */
function whenTried({ tried_at }: TriedMerges, now: number): string {
  const age = now - tried_at
  return age < 60_000 ? 'Tried now' : `Tried ${formatDuration(age)} ago`
}

/** The address of the service's GitHub. Throws `NotTried` for a service that does not say it. */
async function githubServer({ service, terminal }: Pick<Context, 'service' | 'terminal'>): Promise<URL> {
  const { info = {} } = await readServiceInfo(service, terminal.signal)
  const address = textField(info, 'github_server_url') ?? ''
  if (!URL.canParse(address)) throw new NotTried('no_remote')
  return new URL(address)
}
