import { dirname, resolve } from 'node:path'
import type { NamedEdit } from '../../core/changes/edits/parse-patch.ts'
import { escapeGlob } from '../../core/scope/glob/escape.ts'
import type { Json } from '../client/json.ts'
import type { SavedScope, SavedWork } from '../client/work/work-state-file.ts'
import { basesOf, branchFields, type CommandContext, savedWork } from '../command-context.ts'
import { type WorkFields, workFields } from '../commands/changes.ts'
import type { BaseBranch } from '../git/base-branch.ts'
import { fromTop, realPath } from '../git/given-paths.ts'
import { isInNestedWorkTree } from '../git/locate-work-tree.ts'
import { ignoredPaths, plannedChanges, plannedContents } from '../git/planned-changes.ts'
import type { WorkTreeChanges } from '../git/read-changes.ts'
import { isRecent } from '../hooks/hook-state.ts'
import { findOverlap, type HookMerges, overlapIn } from '../hooks/overlap-text.ts'
import { sendWithOverlap } from '../hooks/send-heartbeat.ts'
import type { AgentCall } from './agent-event.ts'
import { openHookContext } from './record-work.ts'
import { fileDigests, isInScope, toSentWork } from './sent-work.ts'
import { hasUndescribedNews, tellNews } from './told-in-session.ts'

const nothingDeclared: SavedScope = { areas: [], paths: [] }

/** The limit of files that are checked before an edit. Further ones are checked after it. */
const maxFiles = 50

/**
 * Records and checks the files and lines of an edit before it. The same ones are checked once a minute, and recorded
 * again if the record may lack them. Files outside of the session's own work tree are left out, and git never runs in
 * the directory of a file (docs/rules.md#git-trust).
 */
export async function checkBeforeEdit(call: AgentCall): Promise<void> {
  const { terminal, hook } = call
  const edits = editsInTree(call)
  const context = edits.length === 0 ? undefined : await openHookContext(call)
  if (!context) return
  const work = await savedWork(context)
  const { base } = await basesOf(context, work)
  const planned = await planWork(context, edits, work, base)
  const now = terminal.now()
  const isChecked = planned.places.every((place) => isRecent(hook.state.lastChecks[place] ?? 0, now))
  if (isChecked && (work?.id === undefined || planned.places.length === 0 || isRecorded(call, planned))) return
  const checked = Object.fromEntries(planned.places.map((place) => [place, now]))
  await hook.save(({ lastChecks }) => ({ lastChecks: { ...lastChecks, ...checked } }))
  await tellNews(call, await recordAndCheck(call, context, planned))
}

/** The edits of files in this work tree, with paths from its top. */
function editsInTree({ terminal, event, hook }: AgentCall): NamedEdit[] {
  const pathOf = (name: string) => {
    const file = realPath(resolve(terminal.cwd, name))
    const path = fromTop(file, hook.top)
    if (!path || path === '.git' || path.startsWith('.git/')) return undefined
    return isInNestedWorkTree(dirname(file), hook.top) ? undefined : path
  }
  return event.edits.slice(0, maxFiles).flatMap(({ file, movedTo, edit }) => {
    const [from, to] = [pathOf(file), movedTo === undefined ? undefined : pathOf(movedTo)]
    if (from === undefined) return to === undefined ? [] : [{ file: to, edit: { kind: 'write' } }]
    return [{ file: from, ...(to !== undefined && { movedTo: to }), edit }]
  })
}

interface PlannedWork {
  work: SavedWork | undefined
  base: BaseBranch | null
  /** What the branch changes once the edits are made; undefined where that is not known. */
  changes: WorkTreeChanges | undefined
  /** The files of the edits with a digest of their changes. */
  places: readonly string[]
  /** The same by path. */
  digests: Readonly<Record<string, string>>
  /** What the files will be. */
  merges: HookMerges
}

async function planWork(
  context: CommandContext,
  edits: readonly NamedEdit[],
  work: SavedWork | undefined,
  base: BaseBranch | null,
): Promise<PlannedWork> {
  const { tree } = context
  const named = edits.flatMap(({ file, movedTo }) => (movedTo === undefined ? [file] : [file, movedTo]))
  const [found, ignored] = await Promise.all([
    context.readChanges(base),
    tree ? ignoredPaths(tree, named) : new Set<string>(),
  ])
  const counted = edits.filter(({ file }) => !ignored.has(file))
  const changes = tree && found && { ...found, files: await plannedChanges(tree, found, counted) }
  const all = fileDigests(workFields(changes, nothingDeclared))
  const paths = named.filter((path) => !ignored.has(path))
  const digests = Object.fromEntries(paths.map((path) => [path, all[path] ?? '']))
  const places = Object.entries(digests).map((entry) => entry.join(' '))
  const merges = tree ? { planned: () => plannedContents(tree, counted) } : {}
  return { work, base, changes, places, digests, merges }
}

/**
 * Records the edit and gets its overlap with one request, or only checks it where it is recorded already. The record
 * comes first: of two sessions that begin on a file together, the later one finds the other's record.
 */
async function recordAndCheck(
  call: AgentCall,
  context: CommandContext,
  planned: PlannedWork,
): Promise<Json | undefined> {
  const { work, base, changes, digests, merges } = planned
  const files = changes?.files.filter(({ path }) => path in digests) ?? []
  const body = {
    ...branchFields(context.branch, base),
    ...plannedFields({ ...planned, changes: changes && { ...changes, files } }, nothingDeclared),
  }
  const recorded = isRecorded(call, planned) ? undefined : await record(call, context, planned)
  if (!recorded || hasUndescribedNews(call, recorded)) return findOverlap(context, body, work, merges)
  return overlapIn(context, recorded, { proposal: { body, work }, merges })
}

/** What is declared, what will be changed, and as paths those files of the edits that the changes do not name. */
function plannedFields({ changes, digests }: PlannedWork, { areas, paths }: SavedScope): WorkFields {
  const globs = Object.entries(digests).flatMap(([path, digest]) => (digest === '' ? escapeGlob(path) : []))
  return workFields(changes, { areas, paths: [...new Set([...paths, ...globs])] })
}

function isRecorded({ hook, terminal }: AgentCall, { work, digests }: PlannedWork): boolean {
  const { sentWork } = hook.state
  if (work?.id === undefined || sentWork.activity !== work.id || !isRecent(sentWork.at, terminal.now())) return false
  return Object.entries(digests).every(([path, digest]) =>
    digest === '' ? isInScope(escapeGlob(path), sentWork) : sentWork.files[path] === digest,
  )
}

/** Undefined where there is no work that could be changed. */
async function record(
  { hook, terminal }: AgentCall,
  context: CommandContext,
  planned: PlannedWork,
): Promise<Json | undefined> {
  const { work } = planned
  if (work?.id === undefined) return undefined
  const fields = plannedFields(planned, work.declared)
  const overlap = await sendWithOverlap(context, work, fields)
  const recordedAt = terminal.now()
  const sentWork = toSentWork(work.id, fields, recordedAt)
  // The hook after the edit sends what was really changed, without waiting for a minute to pass.
  await hook.save(() => ({ sentWork, recordedAt, sentProgress: '', lastHeartbeat: 0 }))
  return overlap
}
