import { createHash } from 'node:crypto'
import type { Overlap } from '../../core/schemas/overlap.ts'
import type { ActivityChange } from '../api.ts'
import { newWork } from '../commands/work-options.ts'
import { branchFields, type Context } from '../context.ts'
import type { SentChanges } from '../git/changes.ts'
import { findKept, findOwn, keepId, record } from '../own-work/own-record.ts'
import { Failure, undefinedIf } from '../terminal.ts'
import { saveHooks } from './hook-state.ts'
import { hookPaths } from './settings-files.ts'

const minute = 60_000

/**
 * Records what the branch changes now, and returns what that collides with: by one request, made after the work is recorded, so
 * that of two that begin at once one is told at least. Where there is nothing to compare yet, it only asks. Null where nothing is
 * to be asked: the same was sent within the minute, and no session begins.
 */
export async function recordAndCompare(
  context: Context,
  { agent, isStart }: { agent: string | undefined; isStart: boolean },
): Promise<Overlap | null> {
  const { tree, state, terminal } = context
  // While a rebase is in progress the work tree shows commits of other times.
  if (tree === undefined || tree.operation !== null) return null
  const changes = (await context.changes())?.sent
  if (!changes) return null
  const fields = branchFields(context, await context.base())
  const issues = context.issues ?? []
  const digest = digestOf([context.repository, fields, issues, changes])
  const { lastSent } = state.read().hooks
  if (!isStart && lastSent?.digest === digest && terminal.now() - lastSent.at < minute) return null
  const { overlap, isRecorded } = await send(context, { ...fields, issues, changes }, agent)
  // What was only asked for is asked again: somebody may have begun meanwhile.
  if (isRecorded) saveHooks(state, { lastSent: { digest, at: terminal.now() } })
  return overlap
}

interface Fields {
  branch?: string
  base_branch?: string
  issues: number[]
  changes: SentChanges
}

const nothingToRecord = new Failure('There is nothing to compare yet.')

async function send(context: Context, fields: Fields, agent: string | undefined) {
  const { issues, changes } = fields
  // Our own settings files are no work.
  const hasWork = issues.length > 0 || changes.files.some(({ path }) => !hookPaths.has(path))
  if ((await mayRecord(context)) && (hasWork || (await findKept(context)) !== undefined)) {
    // Issues and base stay as `headsup start` may have said them.
    const change: ActivityChange = { heartbeat: true, changes }
    const create = async () => {
      // The record that was there has ended.
      if (!hasWork) throw nothingToRecord
      return { ...fields, ...newWork(context, {}), ...(agent !== undefined && { agent }) }
    }
    // Who may not write may still ask.
    const mayAsk = (failure: Failure) => failure === nothingToRecord || failure.code === 'forbidden'
    const recorded = await undefinedIf(mayAsk, record(context, change, create))
    if (recorded) return { overlap: recorded.overlap, isRecorded: true }
  }
  return { overlap: await context.api.check(fields), isRecorded: false }
}

/**
 * Where nothing can be kept, the record is found by its branch; on the default branch that would be somebody else's. Where the
 * account of the token is not known, as that of an App, each call would make a record.
 */
async function mayRecord(context: Context): Promise<boolean> {
  if (context.state.directory !== undefined) return true
  if (context.branch === null || context.branch === (await context.repositoryFacts()).defaultBranch) return false
  const asked = await undefinedIf(
    ({ fields }) => fields.includes('mine'),
    findOwn(context).then((own) => ({ own })),
  )
  if (asked?.own) keepId(context, asked.own.id)
  return asked !== undefined
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}
