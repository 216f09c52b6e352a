import type { Proposal } from '../../core/overlap/decide.ts'
import { directoriesOf, keysOf, neighbourhoodOf, pathsOf } from '../../core/overlap/lookups.ts'
import { namesFiles, type OverlapRules } from '../../core/overlap/work.ts'
import { incomplete } from '../records/places.ts'
import {
  type FileRow,
  type Files,
  filesAtPaths,
  filesOfClients,
  filesOfNeighbourhood,
  filesOfPulls,
} from './candidate-files.ts'
import { findLive, findMerged, type Reader } from './candidates.ts'
import { type Candidate, filesOfCandidate, groupedById, withCovered } from './covering.ts'
import { type Facts, factsOf } from './facts.ts'

export interface Search {
  reader: Reader
  rules: OverlapRules
  proposal: Proposal
  /** The caller's own record, if there is one: it is none of the others. */
  ownId: string | null
}

/** All that a proposal may meet, live and merged lately, with as much of its files as can make it meet. */
export async function findOthers(search: Search) {
  const { reader, rules, proposal, ownId } = search
  const { work, branch, base_branch, number } = proposal
  const placeKeys = keysOf(work, [branch, base_branch], reader.repository.defaultBranch, rules)
  const keys = namesFiles(work) ? [...placeKeys, incomplete] : placeKeys
  // Work that was merged is no stack, and its files that are not kept say nothing.
  const places = placeKeys.filter((key) => !key.startsWith('@'))
  const paths = pathsOf(work)
  const directories = directoriesOf(work)
  const [below, beside] = await Promise.all([
    filesOfPulls(reader, directories),
    filesOfNeighbourhood(reader, neighbourhoodOf(work)),
  ])
  const ids = [...new Set([...below.files, ...beside.files].map(({ activity_id }) => activity_id))]
  const commits = [proposal.pull?.headSha, work.head].filter((head) => typeof head === 'string')
  const lookups = { keys, paths, ids, commits, heads: proposal.commits, branch, number }
  const [live, merged] = await Promise.all([findLive(reader, lookups), findMerged(reader, { keys: places, paths })])
  const rows = [...live.rows, ...merged]
  const rowIds = rows.map(({ id }) => id)
  const clients = rows.filter(({ changes_by }) => changes_by === 'client').map(({ id }) => id)
  const [same, told] = await Promise.all([
    rowIds.length > 0 && paths.length > 0 ? filesAtPaths(reader, rowIds, paths) : nothing,
    clients.length > 0 && directories.length > 0 ? filesOfClients(reader, clients, directories) : nothing,
  ])
  const files = groupedById(distinct([...same.files, ...told.files, ...below.files, ...beside.files]))
  const facts = (candidate: Candidate): Facts => factsOf(candidate, filesOfCandidate(candidate, files), rules)
  const cut = { ...live.cut, ...(beside.isCut && { members: true }) }
  for (const { dropped } of [same, told]) {
    const at = rowIds.indexOf(dropped ?? '')
    if (at < 0 || at >= live.rows.length) continue
    // All that come after it lack files too.
    for (const { is_stranger } of live.rows.slice(at)) cut[is_stranger ? 'strangers' : 'members'] = true
  }
  const others = withCovered(live.rows).filter(({ row }) => row.id !== ownId)
  return {
    others: others.filter(({ covered }) => ownId === null || covered?.id !== ownId).map(facts),
    merged: merged.filter(({ id }) => id !== ownId).map((row) => facts({ row, covered: null })),
    cut,
    isWideCut: below.isCut,
  }
}

const nothing: Files = { files: [], dropped: null }

function distinct(files: readonly FileRow[]): FileRow[] {
  return [...new Map(files.map((file) => [`${file.activity_id} ${file.path}`, file])).values()]
}
