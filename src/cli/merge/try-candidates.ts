import { tmpdir } from 'node:os'
import type { Json } from '../client/json.ts'
import { textField } from '../client/json.ts'
import { readServiceInfo } from '../client/service/service-info.ts'
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
import { countTry } from './merge-log.ts'
import { type MergeCandidate, NotTried, notTried, type TriedMerges } from './merge-result.ts'
import { isSwitchedOff } from './switched-off.ts'
import { readMergeLimits, tryMerges } from './try-merges.ts'

export interface MergeContext
  extends Pick<CommandContext, 'args' | 'config' | 'repository' | 'service' | 'token' | 'readChanges'> {
  terminal: Pick<Terminal, 'cwd' | 'env' | 'platform' | 'signal' | 'now'>
}

/**
 * Tries the merges with the candidates of an answer, and says what that changes of it. A failure is "not tried", never an error
 * (docs/rules.md#answers-after-merges).
 */
export async function tryCandidates(context: MergeContext, overlap: Json, bases: Bases): Promise<OverlapAfterMerges> {
  const { terminal } = context
  const candidates = readCandidates(overlap).map(({ candidate }) => candidate)
  const merges = await tryHere(context, candidates, bases)
  const after = afterMerges(overlap, merges, whenTried(merges, terminal.now()))
  countTry(terminal, 'check', after)
  return after
}

/** Tries the merges with candidates in this work tree; with none of them, only the own work with the target branch. */
export async function tryHere(
  context: MergeContext,
  candidates: readonly MergeCandidate[],
  bases: Bases,
): Promise<TriedMerges> {
  const { terminal, config, repository, token } = context
  // Where git knows no default branch here, the service does: all candidates have the base branch of the proposal.
  const branch = targetOf(bases) || (candidates.find(({ base_branch }) => base_branch !== null)?.base_branch ?? '')
  try {
    if (isSwitchedOff(context)) throw new NotTried('off')
    const workTree = locateWorkTree(terminal)
    if ('refusal' in workTree) throw new NotTried('no_remote')
    const source = findFetchSource({ config, repository, githubServer: await githubServer(context), token })
    const changes = candidates.length === 0 ? undefined : await context.readChanges(bases.base)
    const paths = changes?.files.flatMap(({ path, previous_path }) => [path, previous_path ?? path])
    return await tryMerges({
      ...{ workTree, baseBranch: branch, candidates, source, terminal, limits: readMergeLimits(terminal) },
      ...{ changedPaths: new Set(paths), temporary: tmpdir(), place: keptPlaceOf(terminal.env, workTree, token) },
    })
  } catch (error) {
    const failure = error instanceof NotTried ? error.reason : error instanceof Failure ? 'network' : 'failed'
    const target = { branch, sha: null, merge: 'not_tried' as const, paths: [] }
    return { tried_at: terminal.now(), failure, target, results: candidates.map((one) => notTried(one, failure)) }
  }
}

export function targetOf({ base, defaultBranch }: Bases): string {
  return base?.name ?? defaultBranch ?? ''
}

/** Where nothing has moved, the last try answers. */
function whenTried({ tried_at }: TriedMerges, now: number): string {
  const age = now - tried_at
  return age < 60_000 ? 'Tried now' : `Tried ${formatDuration(age)} ago`
}

/** The address of the service's GitHub. Throws `NotTried` for a service that does not say it. */
async function githubServer({ service, terminal }: Pick<MergeContext, 'service' | 'terminal'>): Promise<URL> {
  const { info = {} } = await readServiceInfo(service, terminal.signal)
  const address = textField(info, 'github_server_url') ?? ''
  if (!URL.canParse(address)) throw new NotTried('no_remote')
  return new URL(address)
}
