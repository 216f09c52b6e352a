import { changedPaths } from '../../core/changes/changed-paths.ts'
import { collapsePaths } from '../../core/changes/collapse-paths.ts'
import { countsAsPublic, isStranger } from '../../core/rules/author.ts'
import { type IndexLookups, indexLookups } from '../../core/rules/candidates/index-lookups.ts'
import { intersectingAreas } from '../../core/rules/candidates/intersecting-areas.ts'
import type { MergedActivity } from '../../core/rules/candidates/rows.ts'
import { type ComparableWork, comparableWork } from '../../core/rules/changed/changed-work.ts'
import { isIgnoredAuthor } from '../../core/rules/changed/compare-changes.ts'
import { namedPaths } from '../../core/rules/changed/compare-names.ts'
import { findHotPaths } from '../../core/rules/changed/hot-paths.ts'
import { mayBeNamed } from '../../core/rules/changed/unnamed-file.ts'
import type { Comparison } from '../../core/rules/compare-all.ts'
import { numbersOf } from '../../core/rules/duplicates/same-issue-rules.ts'
import { ignoredFiles } from '../../core/rules/ignored-files.ts'
import type { Proposal } from '../../core/rules/proposal.ts'
import { comparedPaths } from '../../core/scope/columns.ts'
import { escapeGlob } from '../../core/scope/glob/escape.ts'
import type { ReadGlob } from '../../core/scope/glob/glob-cache.ts'
import { longestGlob } from '../../core/scope/glob/limits.ts'
import { literalPaths, withoutPaths } from '../../core/scope/literal-paths.ts'
import { nextTurn, type WorkBudget, workBudget } from '../../core/scope/match/work-budget.ts'
import { type ProposedScope, parseScope, readGlobs, scopeOf } from '../../core/scope/parse-scope.ts'
import type { Scope } from '../../core/scope/schema.ts'
import type { Context } from '../context.ts'
import { type LoadedRows, type LoadOptions, loadCandidates, loadMerged } from './candidates/load-candidates.sql.ts'
import { countLiveObserved } from './candidates/load-observed.sql.ts'

/**
 * The budget of a check for all that it compares: some fifth of a second of work, in slices. Only globs and changes made to be
 * costly come near it.
 */
const STEPS_OF_A_CHECK = 10_000_000
/** The same for the example paths of collisions that the index decides. */
const STEPS_FOR_EXAMPLES = 5_000_000
/** The part of it for finding the areas of the settings that intersect the proposal. */
const STEPS_FOR_AREAS = STEPS_OF_A_CHECK / 4
/** A proposal of more globs waits for a turn. */
const largeProposal = 50
/** Beyond so many changed files, directories are looked up. Files are compared all the same. */
const mostLookedUp = { globs: 300, bytes: Number.POSITIVE_INFINITY }

/** The budgets of one check, or of one request with several proposals. */
export interface CheckBudget {
  work: WorkBudget
  examples: WorkBudget
}

export function checkBudget(owner: bigint): CheckBudget {
  return { work: workBudget(STEPS_OF_A_CHECK, owner), examples: workBudget(STEPS_FOR_EXAMPLES, owner) }
}

/** What a comparison needs of its context. */
export type CheckContext = Pick<Context, 'db' | 'now' | 'repository' | 'settings' | 'readGlob'>

interface Loading extends LoadOptions {
  /** Whether the caller sees observed work and what GitHub says about changes. */
  seesObserved: boolean
  /** Shared by all the proposals. Without it, each has its own. */
  budget?: CheckBudget | undefined
}

/** What a proposal is compared with. */
export interface LoadedProposal extends LoadedRows {
  proposal: Proposal
  defaultBranch: string
  /** Loads the page of merged work after this activity. */
  loadMerged(after: MergedActivity & { closes: boolean }): Promise<readonly MergedActivity[]>
  /** Makes the means to compare it. */
  comparison(): Promise<Comparison>
}

/** Loads what each of these proposals is compared with (docs/rules.md#overlap): one for a check, several for pairs. */
export async function loadProposals(
  context: CheckContext,
  proposals: readonly Proposal[],
  { seesObserved, budget, ...options }: Loading,
): Promise<LoadedProposal[]> {
  if (proposals.length === 0) return []
  const { db, now, repository } = context
  const { defaultBranch } = repository
  const filter = { repositoryId: repository.id, now, seesObserved }
  const read: ReadProposal[] = []
  for (const proposal of proposals)
    read.push(await readProposal(context, proposal, budget ?? checkBudget(repository.id)))
  const looked = read.map(({ proposal: { self, branch, base_branch }, lookups, changed, counted, scopes }) => ({
    ...{ self, branch, base_branch, defaultBranch, lookups, hasChanges: changed !== null },
    hasUncounted: counted !== scopes.proposed,
  }))
  const loaded = await loadCandidates(db, filter, looked, options)
  return loaded.flatMap((rows, nth) => {
    const one = read[nth]
    if (!one) return []
    const { merged } = options
    return {
      ...rows,
      proposal: one.proposal,
      defaultBranch,
      loadMerged: async (after) => (merged ? loadMerged(db, filter, one.lookups, { ...merged, after }) : []),
      comparison: () =>
        comparisonOf(context, one, rows, (baseBranch, isPublic) =>
          countLiveObserved(db, filter, { baseBranch, isPublic }),
        ),
    }
  })
}

interface ReadProposal {
  proposal: Proposal
  scopes: ReturnType<typeof proposedScopes>
  lookups: IndexLookups
  changed: ComparableWork | null
  /** What declared work is compared with. */
  counted: ProposedScope
  budget: CheckBudget
}

/** Prepares a proposal for the comparison, and its look-ups in the index. */
async function readProposal(context: CheckContext, proposal: Proposal, budget: CheckBudget): Promise<ReadProposal> {
  const { work } = budget
  const changed = changedWork(proposal)
  const scopes = proposedScopes(context, proposal, changed, work)
  const lookups = await lookupsOf(context, scopes, numbersOf(proposal.issues), work)
  const isIgnored = isIgnoredAuthor(proposal.author, { ignoredAuthors: context.settings.ignored_authors })
  return { proposal, scopes, lookups, changed, counted: isIgnored ? scopes.named : scopes.counted, budget }
}

async function comparisonOf(
  { now, repository, settings, readGlob }: CheckContext,
  { proposal, scopes, changed, counted, budget }: ReadProposal,
  loaded: LoadedRows,
  countLive: (baseBranch: string, isPublic: boolean) => Promise<number>,
): Promise<Comparison> {
  const named = namedPaths(scopes.named)
  const paths = [...new Set([...named.literal, ...(changed?.byPath.keys() ?? [])])]
  const isPublic = countsAsPublic(repository)
  const hot = await findHotPaths(
    paths,
    loaded.candidates.filter((candidate) => !isStranger(candidate, isPublic)),
    (baseBranch) => countLive(baseBranch, isPublic),
    budget.work,
  )
  return {
    ...{ proposed: scopes.proposed, isCut: scopes.isCut, parse: scopes.parse, named, changed, now },
    ...{ author: proposal.author, own: proposal.own, byStranger: proposal.byStranger },
    issues: proposal.issues,
    isMinor: Boolean(proposal.isStale || proposal.byStranger),
    counted,
    identity: {
      ...{ branch: proposal.branch, defaultBranch: repository.defaultBranch, account: proposal.account },
      pullNumber: proposal.pullNumber ?? null,
      ...{ headSha: changed?.work.headSha ?? null, commits: changed?.work.commits ?? new Set() },
    },
    counting: {
      ignoredAuthors: settings.ignored_authors,
      maxFiles: settings.max_files,
      isIgnored: ignoredFiles(readGlobs(settings.ignored_paths, readGlob), loaded.attributes),
      hot,
    },
    isPublic,
    staleAfterMs: settings.pull_request_ttl_ms,
    ...budget,
  }
}

/**
 * The scope of a proposal: `named` as its author names it, `proposed` with its tags and its changed files, and `counted` for declared
 * work: without the files that a stranger adds.
 */
function proposedScopes(
  { settings, readGlob: readAnyGlob }: CheckContext,
  { scope, tags, changes, byStranger }: Proposal,
  changedWork: ComparableWork | null,
  work: WorkBudget,
) {
  const readGlob: ReadGlob = (text) => readAnyGlob(text, work)
  const parseProposal = (given: Scope) => parseScope(given, settings.areas, readGlob)
  const changed = changedPaths(changes?.files ?? [])
  const areas = [...scope.areas, ...tags]
  const own = comparedPaths(scope.paths)
  const named = parseProposal({ areas, paths: [...own] })
  const withPaths = (paths: readonly string[]) => parseProposal({ areas, paths: [...own, ...paths] })
  const unnamed = unnamedPaths(changedWork, named)
  const all = changed.length === 0 ? named : withPaths(changed.map(escapeGlob))
  const areCollapsed = changed.length > mostLookedUp.globs
  const proposed = unnamed.size === 0 ? all : { ...all, unnamed }
  return {
    isCut: own.length < scope.paths.length,
    named,
    proposed,
    counted: byStranger ? withoutPaths(proposed, unnamed) : proposed,
    lookedUp: areCollapsed || changed.some(isLong) ? withPaths(collapsePaths(changed, mostLookedUp)) : all,
    areCollapsed,
    parse: ({ areas: labels, paths }: Scope) => scopeOf(labels, readGlobs(paths, readGlob), settings.areas, readGlob),
  }
}

/** Whether the glob of a path may be too long. Then a directory above it is looked up. */
function isLong(path: string): boolean {
  return path.length > longestGlob / 2
}

async function lookupsOf(
  { settings }: CheckContext,
  { lookedUp, areCollapsed, parse }: ReturnType<typeof proposedScopes>,
  issues: readonly number[],
  work: WorkBudget,
): Promise<IndexLookups> {
  // Its look-ups take some milliseconds.
  if (lookedUp.globs.length > largeProposal) await nextTurn(work.owner)
  const areas = await intersectingAreas(
    lookedUp,
    Object.keys(settings.areas),
    parse,
    Math.min(STEPS_FOR_AREAS, work.limit - work.steps),
    work,
  )
  const lookups = indexLookups(lookedUp, areas, issues)
  // A directory that replaces its changed files does not overlap with everything below it.
  return areCollapsed ? { ...lookups, keysShowFiles: false } : lookups
}

/** The paths that the work changes and no text may name, unless the scope names them. */
function unnamedPaths(changed: ComparableWork | null, { globs }: ProposedScope): ReadonlySet<string> {
  const { hidesWords = false } = changed?.work ?? {}
  const named = new Set(literalPaths(globs))
  const paths = [...(changed?.byPath ?? [])].flatMap(([path, changes]) => {
    const isKnown = named.has(path) || mayBeNamed(changes.map(({ kind }) => ({ kind, hidesWords })))
    return isKnown ? [] : path
  })
  return new Set(paths)
}

function changedWork({ base_branch, changes, author, hidesWords = false }: Proposal): ComparableWork | null {
  if (!changes) return null
  const { files, headSha, filesTotal, commits = new Set() } = changes
  return comparableWork({ baseBranch: base_branch, author, headSha, commits, files, filesTotal, hidesWords })
}
