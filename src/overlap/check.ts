import { changedPaths } from '../changes/changed-paths.ts'
import { collapsePaths } from '../changes/collapse-paths.ts'
import type { Context } from '../context.ts'
import { endedAfter } from '../lib/retention.ts'
import { findPartlyListed } from '../observed/branches/partly-listed.sql.ts'
import { observesBranches } from '../observed/is-observed.ts'
import { visibleObservation } from '../observed/state.ts'
import { comparedPaths } from '../scope/columns.ts'
import { escapeGlob } from '../scope/glob/escape.ts'
import type { ReadGlob } from '../scope/glob/glob-cache.ts'
import { nextTurn, type WorkBudget, workBudget } from '../scope/match/work-budget.ts'
import { parseScope, readGlobs, scopeOf } from '../scope/parse-scope.ts'
import type { Scope } from '../scope/schema.ts'
import { type IndexLookups, indexLookups } from './candidates/index-lookups.ts'
import { intersectingAreas } from './candidates/intersecting-areas.ts'
import { type LoadedRows, loadCandidates, loadMerged } from './candidates/load-candidates.sql.ts'
import { countLiveObserved } from './candidates/observed.sql.ts'
import type { LiveFilter, MergedActivity } from './candidates/rows.ts'
import { type ComparableWork, comparableWork } from './changed/changed-work.ts'
import { isIgnoredAuthor } from './changed/compare-changes.ts'
import { namedPaths } from './changed/compare-names.ts'
import { findHotPaths } from './changed/hot-paths.ts'
import type { Comparison } from './compare-all.ts'
import { evaluate, type LoadedCandidates } from './evaluate.ts'
import { ignoredFiles } from './ignored-files.ts'
import type { Proposal } from './proposal.ts'
import { mergedPageSize } from './reuse.ts'
import type { Overlap } from './schema.ts'
import { isStranger } from './texts/author.ts'

/**
 * The budget of a check for all that it compares: some fifth of a second of work, in slices. Only globs and changes made to be
 * costly come near it.
 */
const STEPS_OF_A_CHECK = 10_000_000
/** The part of it for finding the areas of the settings that intersect the proposal. */
const STEPS_FOR_AREAS = STEPS_OF_A_CHECK / 4
/** A proposal of more globs waits for a turn. */
const largeProposal = 50
/** Beyond so many changed files, directories are looked up. Files are compared all the same. */
const mostLookedUp = { globs: 300, bytes: Number.POSITIVE_INFINITY }

/** Compares a proposal with the live work (docs/rules.md#overlap): loads candidates by index, and evaluates them. */
export async function checkOverlap(context: Context, proposal: Proposal): Promise<Overlap> {
  const { candidates, comparison } = await prepareCheck(context, proposal)
  return evaluate(proposal, candidates, comparison)
}

/** What a comparison needs of its context. */
export type CheckContext = Pick<
  Context,
  'db' | 'now' | 'repository' | 'retentionMs' | 'settings' | 'viewer' | 'readGlob'
>

/** Loads what a proposal is compared with, and reads its scope. */
export async function prepareCheck(
  context: CheckContext,
  proposal: Proposal,
): Promise<{ candidates: LoadedCandidates; comparison: Comparison }> {
  const { db, now, repository, settings, viewer } = context
  const namesFiles = proposal.scope.paths.length > 0 || (proposal.changes?.files.length ?? 0) > 0
  const { observed, mayRead: seesObserved } = await visibleObservation(viewer, { namesFiles })
  const filter = { repositoryId: repository.id, now, self: proposal.self, seesObserved }
  const read = await readProposal(context, proposal)
  const page = { endedAfter: endedAfter(context), count: mergedPageSize }
  const loaded = await loadCandidates(db, filter, read.proposed, read.lookups, page)
  const candidates = {
    ...loaded,
    ...{ self: proposal.self, ended: proposal.ended, own: proposal.own, defaultBranch: repository.defaultBranch },
    observed,
    partlyListed: seesObserved && observesBranches(settings) ? await findPartlyListed(db, repository.id, now) : [],
    loadMerged: (after: MergedActivity) => loadMerged(db, filter, read.lookups, { ...page, after }),
  }
  return { candidates, comparison: await comparisonOf(context, filter, { proposal, read, loaded }) }
}

/** Prepares a proposal for the comparison, and its look-ups in the index. */
export async function readProposal(context: CheckContext, proposal: Proposal) {
  const { repository, settings } = context
  const { branch, base_branch, author } = proposal
  const work = workBudget(STEPS_OF_A_CHECK, repository.id)
  const scopes = proposedScopes(context, proposal, work)
  const lookups = await lookupsOf(context, scopes, work)
  const changed = changedWork(proposal)
  const isIgnored = isIgnoredAuthor(author, { ignoredAuthors: settings.ignored_authors })
  const branches = { branch, base_branch, defaultBranch: repository.defaultBranch }
  const proposed = { ...branches, hasChanges: changed !== null, isIgnored }
  return { scopes, lookups, changed, isIgnored, proposed, work }
}

export interface PreparedProposal {
  proposal: Proposal
  read: Awaited<ReturnType<typeof readProposal>>
  loaded: Pick<LoadedRows, 'candidates' | 'attributes'>
}

export async function comparisonOf(
  { db, now, repository, settings, viewer, readGlob }: CheckContext,
  filter: LiveFilter,
  { proposal, read: { scopes, changed, isIgnored, work }, loaded }: PreparedProposal,
): Promise<Comparison> {
  const { defaultBranch } = repository
  const named = namedPaths(scopes.named)
  const paths = [...new Set([...named.literal, ...(changed?.byPath.keys() ?? [])])]
  const isPublic = repository.isPublic ?? true
  const hot = await findHotPaths(
    paths,
    loaded.candidates.filter((candidate) => !isStranger(candidate, isPublic)),
    (baseBranch) => countLiveObserved(db, filter, { baseBranch, isPublic }),
    work,
  )
  return {
    ...{ proposed: scopes.proposed, isCut: scopes.isCut, parse: scopes.parse, named, changed, now },
    author: proposal.author,
    counted: isIgnored ? scopes.named : scopes.proposed,
    identity: {
      ...{ branch: proposal.branch, defaultBranch, pullNumber: proposal.pullNumber ?? null },
      ...{ headSha: changed?.work.headSha ?? null, commits: changed?.work.commits ?? new Set() },
      account: viewer.account(),
    },
    quieting: {
      ignoredAuthors: settings.ignored_authors,
      maxFiles: settings.max_files,
      isIgnored: ignoredFiles(readGlobs(settings.ignored_paths, readGlob), loaded.attributes),
      hot,
    },
    isPublic,
    staleAfterMs: settings.pull_request_ttl_ms,
    work,
  }
}

/** The scope of a proposal: `named` as its author names it, and `proposed` with its tags and its changed files. */
function proposedScopes(
  { settings, readGlob: readAnyGlob }: CheckContext,
  { scope, tags, changes }: Proposal,
  work: WorkBudget,
) {
  const readGlob: ReadGlob = (text) => readAnyGlob(text, work)
  const parseProposal = (given: Scope) => parseScope(given, settings.areas, readGlob)
  const changed = changedPaths(changes?.files ?? [])
  const areas = [...scope.areas, ...tags]
  const own = comparedPaths(scope.paths)
  const named = parseProposal({ areas, paths: [...own] })
  const withPaths = (paths: readonly string[]) => parseProposal({ areas, paths: [...own, ...paths] })
  return {
    isCut: own.length < scope.paths.length,
    named,
    proposed: changed.length === 0 ? named : withPaths(changed.map(escapeGlob)),
    lookedUp: changed.length === 0 ? named : withPaths(collapsePaths(changed, mostLookedUp)),
    areCollapsed: changed.length > mostLookedUp.globs,
    parse: ({ areas: labels, paths }: Scope) => scopeOf(labels, readGlobs(paths, readGlob), settings.areas, readGlob),
  }
}

async function lookupsOf(
  { settings }: CheckContext,
  { lookedUp, areCollapsed, parse }: ReturnType<typeof proposedScopes>,
  work: WorkBudget,
): Promise<IndexLookups> {
  // Its look-ups take some milliseconds.
  if (lookedUp.globs.length > largeProposal) await nextTurn(work.owner)
  const areas = await intersectingAreas(lookedUp, Object.keys(settings.areas), parse, STEPS_FOR_AREAS, work)
  const lookups = indexLookups(lookedUp, areas)
  // A directory that replaces its changed files does not overlap with everything below it.
  return areCollapsed ? { ...lookups, keysShowFiles: false } : lookups
}

function changedWork({ base_branch, changes, author }: Proposal): ComparableWork | null {
  if (!changes) return null
  const { files, headSha, filesTotal, commits = new Set() } = changes
  return comparableWork({ baseBranch: base_branch, author, headSha, commits, files, filesTotal })
}
