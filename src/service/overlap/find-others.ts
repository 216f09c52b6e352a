import { isInForce } from '../../core/notable.ts'
import type { Proposal } from '../../core/overlap/decide.ts'
import { directoriesOf, keysOf, neighbourhoodOf, pathsOf } from '../../core/overlap/lookups.ts'
import { type Branches, type Stack, stacksIn } from '../../core/overlap/relationship.ts'
import { namesFiles, type OverlapRules, type Work } from '../../core/overlap/work.ts'
import type { Notable } from '../db/generated/client.ts'
import { incomplete } from '../records/places.ts'
import {
  type FileRow,
  type Files,
  filesAtPaths,
  filesOfClients,
  filesOfNeighbourhood,
  filesOfPulls,
} from './candidate-files.ts'
import { branchesAt, findLive, findMerged, type Reader } from './candidates.ts'
import { factsOfEach, groupedById, withCovered } from './facts.ts'

/**
 * All that a proposal may meet, live and merged lately, with as much of its files as can make it meet. `ownId`: the caller's own
 * record, which is none of the others.
 */
export async function findOthers(reader: Reader, rules: OverlapRules, proposal: Proposal, ownId: string | null) {
  const { work, branch, base_branch, number } = proposal
  const ofPlaces = keysOf(work, [branch, base_branch], reader.repository.defaultBranch, rules)
  const liveKeys = namesFiles(work) ? [...ofPlaces, incomplete] : ofPlaces
  // Work that was merged is no stack, and its files that are not kept say nothing.
  const mergedKeys = ofPlaces.filter((key) => !key.startsWith('@'))
  const paths = pathsOf(work)
  const directories = directoriesOf(work)
  const [below, beside] = await Promise.all([
    filesOfPulls(reader, directories),
    filesOfNeighbourhood(reader, neighbourhoodOf(work)),
  ])
  const ids = [...new Set([...below.files, ...beside.files].map(({ activity_id }) => activity_id))]
  const ownHeads = [proposal.pull?.headSha, work.head].filter((head) => typeof head === 'string')
  const lookups = { keys: liveKeys, paths, ids, commits: ownHeads, heads: proposal.commits, branch, number }
  const [live, merged] = await Promise.all([findLive(reader, lookups), findMerged(reader, { keys: mergedKeys, paths })])
  const rows = [...live.rows, ...merged]
  const rowIds = rows.map(({ id }) => id)
  const clients = rows.filter(({ changes_by }) => changes_by === 'client').map(({ id }) => id)
  const [same, told] = await Promise.all([
    rowIds.length > 0 && paths.length > 0 ? filesAtPaths(reader, rowIds, paths) : nothing,
    clients.length > 0 && directories.length > 0 ? filesOfClients(reader, clients, directories) : nothing,
  ])
  const files = groupedById(distinct([...same.files, ...told.files, ...below.files, ...beside.files]))
  const cut = { ...live.cut, ...(beside.isCut && { members: true }) }
  for (const { dropped } of [same, told]) {
    const at = rowIds.indexOf(dropped ?? '')
    if (at < 0 || at >= live.rows.length) continue
    // All that come after it lack files too.
    for (const { is_stranger } of live.rows.slice(at)) cut[is_stranger ? 'strangers' : 'members'] = true
  }
  const others = withCovered(live.rows).filter(({ row, covered }) => row.id !== ownId && covered?.id !== ownId)
  const over = merged.filter(({ id }) => id !== ownId).map((row) => ({ row, covered: null }))
  return {
    others: await factsOfEach(others, files, rules),
    merged: await factsOfEach(over, files, rules),
    ...{ cut, isWideCut: below.isCut },
  }
}

const nothing: Files = { files: [], dropped: null }

function distinct(files: readonly FileRow[]): FileRow[] {
  return [...new Map(files.map((file) => [`${file.activity_id} ${file.path}`, file])).values()]
}

const mayMatch = `select n.* from notables n
  where n.repository_id = $1 and n.status = 'active' and n.expires_at > $2
    and (cardinality(n.areas) + cardinality(n.paths) = 0
      or n.id in (select notable_id from notable_places where repository_id = $1 and key = any($3::text[])))
  order by n.id desc`

/** The active notables that may match: those about the whole repository, and those with a place near the proposal. */
export async function notablesFor(
  { pool, repository, now }: Reader,
  work: Work,
  rules: OverlapRules,
): Promise<Notable[]> {
  const keys = keysOf({ ...work, issues: [] }, [], repository.defaultBranch, rules)
  const { rows } = await pool.query<Notable>(mayMatch, [repository.id, now, keys])
  return rows.filter((row) => isInForce(row, now))
}

const mostLevels = 50

/** The whole stack of a proposal, one look-up for each level that is not known yet: mostly none. */
export async function stackOf(reader: Reader, proposal: Branches, candidates: readonly Branches[]): Promise<Stack> {
  const { defaultBranch } = reader.repository
  const known = [proposal, ...candidates]
  // Who is on these branches, or on top of them, is among the candidates.
  const lookedUp = new Set([proposal.branch, proposal.base_branch])
  for (let level = 0; ; level++) {
    const stack = stacksIn(known, defaultBranch)(proposal)
    const missing = [...stack.ancestors, ...stack.descendants].filter((branch) => !lookedUp.has(branch))
    if (missing.length === 0 || level === mostLevels) return stack
    for (const branch of missing) lookedUp.add(branch)
    known.push(...(await branchesAt(reader, missing)))
  }
}
