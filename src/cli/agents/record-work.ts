import { quoted } from '../../overlap/quote.ts'
import { requireActor } from '../client/find-activity.ts'
import { type Json, textField } from '../client/json.ts'
import type { SavedWork } from '../client/work-state-file.ts'
import { basesOf, branchFields, type CommandContext, openCommandContext, savedWork } from '../command-context.ts'
import { changesField } from '../commands/changes.ts'
import { addChanges } from '../commands/scope.ts'
import { startWork } from '../commands/start-work.ts'
import { Failure } from '../failure.ts'
import { homeRepository } from '../git/git-config.ts'
import { findWorkTree } from '../git/work-tree.ts'
import { findOverlap, overlapFacts, unknownFacts, withParent } from '../hooks/overlap-text.ts'
import { plain } from '../plain-text.ts'
import type { AgentCall } from './agent-event.ts'

export interface RecordedWork {
  overlap: Json | undefined
  /** The overlap and the activity, for the model. */
  lines: string[]
}

/** The context of a hook; undefined outside of a work tree of a repository on GitHub. */
export async function openHookContext({
  terminal,
  args,
}: Pick<AgentCall, 'terminal' | 'args'>): Promise<CommandContext | undefined> {
  const tree = await findWorkTree(terminal)
  if (!tree || (!homeRepository(tree.config) && args.text('repo') === undefined)) return undefined
  return openCommandContext(terminal, args, tree)
}

/** Creates or resumes the work of the branch for this session. A caller without write access gets the overlap alone. */
export async function recordWork(
  context: CommandContext,
  { agent, event, terminal }: AgentCall,
): Promise<RecordedWork> {
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
    const overlap = withParent(own, parent)
    const facts = overlap.overlap_detected === true ? overlapFacts(overlap) : unknownFacts(overlap, terminal.now())
    return { overlap, lines: [...facts, describeActivity(activity, isNew), ...describeSeen(seenAs)] }
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 403) throw error
    const overlap = await checkChanges(context, before)
    return { overlap, lines: overlapFacts(overlap) }
  }
}

async function checkChanges(context: CommandContext, work: SavedWork | undefined): Promise<Json | undefined> {
  const { base } = await basesOf(context, work)
  const [scope, changes] = await Promise.all([
    addChanges(context, base, { areas: [], paths: [] }),
    changesField(context, base),
  ])
  return findOverlap(context, { ...branchFields(context.branch, base), scope, ...changes }, undefined)
}

function describeSeen(number: string | undefined): string[] {
  return number === undefined ? [] : [`Headsup: the open pull request of this branch is seen already as ${number}.`]
}

function describeActivity(activity: Json, isNew: boolean): string {
  const id = plain(textField(activity, 'id') ?? '')
  const title = quoted(textField(activity, 'title') ?? '')
  return `Headsup: the work of this branch is recorded as ${id} (${title})${isNew ? '' : ', resumed'}.`
}
