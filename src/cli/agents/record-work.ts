import { quoted } from '../../core/texts/quote.ts'
import { type Json, textField } from '../client/json.ts'
import { hasRepository } from '../client/service/github-host.ts'
import { requireActor, seenBranch } from '../client/work/find-activity.ts'
import type { SavedWork } from '../client/work/work-state-file.ts'
import { basesOf, branchFields, type CommandContext, openCommandContext, savedWork } from '../command-context.ts'
import { workFields } from '../commands/changes.ts'
import { startWork } from '../commands/start-work.ts'
import { Failure } from '../failure.ts'
import { findWorkTree } from '../git/work-tree.ts'
import { findOverlap, withMerges, withParent } from '../hooks/overlap-text.ts'
import { describeIssues } from '../output/describe-issues.ts'
import { plain } from '../output/plain-text.ts'
import type { AgentCall } from './agent-event.ts'

export interface RecordedWork {
  overlap: Json | undefined
  /** The id of the activity; undefined for a caller without write access. */
  id: string | undefined
  /** What is recorded, in sentences. */
  sentences: string[]
}

/** The context of a hook; undefined outside of a work tree of a repository on GitHub. */
export async function openHookContext({
  terminal,
  args,
}: Pick<AgentCall, 'terminal' | 'args'>): Promise<CommandContext | undefined> {
  const tree = await findWorkTree(terminal)
  if (!tree || !hasRepository(tree.config, args)) return undefined
  return openCommandContext(terminal, args, tree)
}

/** Creates or resumes the work of the branch for this session. A caller without write access gets the overlap alone. */
export async function recordWork(context: CommandContext, { agent, event }: AgentCall): Promise<RecordedWork> {
  const { branch, workState } = context
  const before = await savedWork(context)
  try {
    const {
      activity,
      overlap: own,
      parent,
      isNew,
      seenAs,
      toSavedWork,
    } = await startWork(context, before, {
      actor: requireActor(context),
      agent: agent.id,
      title: branch === null ? `${agent.name} without a branch` : `${agent.name} on ${branch}`,
      fields: {},
      namedScope: undefined,
    })
    await workState?.change(branch, (now) => {
      const { sessions, bySession, ...rest } = toSavedWork(now)
      return { ...rest, sessions: [...new Set([...sessions, event.sessionId])], bySession: isNew || bySession }
    })
    const sentences = [describeActivity(activity, isNew), ...describeSeen(seenAs)]
    const tried = await withMerges(context, own, { fetches: true })
    return { overlap: withParent(tried, parent), id: textField(activity, 'id'), sentences }
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 403) throw error
    return { overlap: await checkChanges(context, before), id: undefined, sentences: [] }
  }
}

async function checkChanges(context: CommandContext, work: SavedWork | undefined): Promise<Json | undefined> {
  const { base } = await basesOf(context, work)
  const fields = workFields(await context.readChanges(base), { areas: [], paths: [] })
  return findOverlap(context, { ...branchFields(context.branch, base), ...fields }, undefined, { fetches: true })
}

function describeSeen(seenAs: string | undefined): string[] {
  if (seenAs === undefined) return []
  return [
    seenAs === seenBranch
      ? 'It is seen already, as it was pushed.'
      : `Its open pull request is seen already as ${seenAs}.`,
  ]
}

function describeActivity(activity: Json, isNew: boolean): string {
  const id = plain(textField(activity, 'id') ?? '')
  const title = quoted(textField(activity, 'title') ?? '')
  const issues = describeIssues(activity)
  return `The work of this branch is recorded as ${id} (${title}${issues && `, ${issues}`})${isNew ? '' : ', resumed'}.`
}
