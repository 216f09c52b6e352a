import { quoted } from '../../overlap/quote.ts'
import { actorOf } from '../client/find-activity.ts'
import { type Json, textField } from '../client/json.ts'
import { listRecords } from '../client/pages.ts'
import type { SavedWork } from '../client/work-state-file.ts'
import { basesOf, branchFields, type CommandContext, openCommandContext, savedWork } from '../command-context.ts'
import { beginWork } from '../commands/begin-work.ts'
import { widened } from '../commands/scope.ts'
import { Failure } from '../failure.ts'
import { homeRepository } from '../git/git-config.ts'
import { findWorkTree } from '../git/work-tree.ts'
import { plain } from '../plain-text.ts'
import { contextReply } from './claude-event.ts'
import type { ClaudeCall } from './hook-claude.ts'
import { isRecent } from './hook-state.ts'
import { collisionOf, factsOf, keepAlive } from './hook-work.ts'
import { rememberShown } from './session-notables.ts'

/** Begins or takes up the work of the branch, and shows whom it collides with and what to know. */
export async function startSession(call: ClaudeCall): Promise<void> {
  const { event, terminal, hook } = call
  if (event.isSubagent) return
  const place = await placeOf(call)
  if (!place) return
  const [{ lines: own, overlap }, { items: notables }] = await Promise.all([
    begin(place, event.sessionId),
    listRecords(place.api, '/notables', {}, 10),
  ])
  // The service answers again: the next edit need not wait for the minute after a failure.
  if (hook.state.failed > 0) await hook.save({ failed: 0 })
  await rememberShown(call, place, overlap)
  const lines = [...own, ...notables.filter((notable) => applies(notable, terminal.now())).map(notableLine)]
  if (lines.length > 0) terminal.out(contextReply('SessionStart', lines))
}

/** Says that the work goes on and what it touches by now, at most once a minute. */
export async function whileWorking(call: ClaudeCall): Promise<void> {
  const { event, terminal, hook } = call
  if (isRecent(hook.state.beaten, terminal.now())) return
  await hook.save({ beaten: terminal.now() })
  const place = await placeOf(call)
  if (!place) return
  const work = await savedWork(place)
  // A branch that was made in the midst of the session.
  if (!work) return void (await begin(place, event.sessionId))
  if (work.id === undefined) return
  const scope = await widened(place, (await basesOf(place, work)).base, work.declared)
  const told = JSON.stringify([work.id, scope])
  await keepAlive(place, work, told === hook.state.scope ? undefined : scope)
  await hook.save({ scope: told })
}

/** Undefined where this is no work tree of a repository on GitHub. */
export async function placeOf({ terminal, args }: ClaudeCall): Promise<CommandContext | undefined> {
  const tree = await findWorkTree(terminal)
  if (!tree || (!homeRepository(tree.config) && args.text('repo') === undefined)) return undefined
  return openCommandContext(terminal, args, tree)
}

/** The overlap of the work, and the lines that say how it stands. Who may only read is told of collisions all the same. */
async function begin(
  place: CommandContext,
  sessionId: string,
): Promise<{ overlap: Json | undefined; lines: string[] }> {
  const { branch, memory } = place
  const before = await savedWork(place)
  try {
    const { activity, overlap, isNew, work } = await beginWork(place, before, {
      actor: actorOf(place),
      agent: 'claude-code',
      title: branch === null ? 'Claude Code without a branch' : `Claude Code on ${branch}`,
      fields: {},
      named: undefined,
    })
    await memory?.change(branch, (now) => {
      const { sessions, bySession, ...rest } = work(now)
      return { ...rest, sessions: [...new Set([...sessions, sessionId])], bySession: isNew || bySession }
    })
    return { overlap, lines: [...factsOf(overlap), ownLine(activity, isNew)] }
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 403) throw error
    const overlap = await readOnly(place, before)
    return { overlap, lines: factsOf(overlap) }
  }
}

async function readOnly(place: CommandContext, work: SavedWork | undefined): Promise<Json | undefined> {
  const { base } = await basesOf(place, work)
  const scope = await widened(place, base, { areas: [], paths: [] })
  return collisionOf(place, { ...branchFields(place.branch, base), scope }, undefined)
}

function ownLine(activity: Json, isNew: boolean): string {
  const id = plain(textField(activity, 'id') ?? '')
  const title = quoted(textField(activity, 'title') ?? '')
  return `Headsup: the work of this branch is recorded as ${id} (${title})${isNew ? '' : ', taken up again'}.`
}

/** Whether what a notable says has not stopped being so. */
function applies(notable: Json, now: number): boolean {
  const until = textField(notable, 'applies_until')
  return until === undefined || !(Date.parse(until) <= now)
}

function notableLine(notable: Json): string {
  const words = (key: string) => plain(textField(notable, key) ?? '').slice(0, 400)
  const [title, summary] = [textField(notable, 'title') ?? '', textField(notable, 'summary') ?? '']
  const url = words('decision_url')
  const said = `${quoted(title)}${summary === title ? '' : `: ${quoted(summary, 400)}`}${url && ` (${url})`}`
  const blocking = notable.blocking === true ? ', blocking' : ''
  return `Headsup notable ${words('id')}${blocking}, ${words('importance')} importance, ${words('category')}: ${said}`
}
