import { setTimeout as wait } from 'node:timers/promises'
import { openContext } from '../context.ts'
import { findTop } from '../git/find-top.ts'
import { openState } from '../state.ts'
import { ServiceAway, type Terminal } from '../terminal.ts'
import { type AgentWord, agentOf, eventOf, type Moment } from './agents.ts'
import { saveHooks, withLock, withTold } from './hook-state.ts'
import { briefingOf, newsOf, textForModel } from './news.ts'
import { readPayload } from './payload.ts'
import { recordAndCompare } from './record-and-compare.ts'

const quietMs = 60_000

/**
 * How long the work of a hook may take, in ms. The first one bounds its input and its work together, so that no hook takes as long
 * as the time-out that `hook install` gives its agent.
 */
export const limitsMs: Record<Moment, number> = { 'session-start': 4_000, 'after-tool': 1_500 }

/**
 * The hook that an agent calls with an event on stdin. It never fails and never blocks: whatever happens, it is silent then, and the
 * program exits with 0. `headsup doctor` says what does not work. `url` is the one address that it asks.
 */
export async function runAgentHook(terminal: Terminal, word: AgentWord, url: string): Promise<void> {
  const limitMs = limitsMs['session-start']
  const begun = performance.now()
  const payload = await within(limitMs, () => readPayload(terminal.input ?? process.stdin))
  const event = payload && eventOf(payload)
  if (!payload || !event) return
  const agent = agentOf(word, payload)
  const { session, moment, cwd = terminal.cwd } = event
  const leftMs = limitMs - (performance.now() - begun)
  const lines = await within(Math.min(limitsMs[moment], leftMs), (signal) =>
    newLines({ ...terminal, cwd, signal, out: () => {}, err: () => {} }, { url, agent: agent.id, session, moment }),
  )
  if (lines && lines.length > 0) terminal.out(JSON.stringify(agent.answer(event.name, textForModel(lines))))
}

/** `headsup hook git`: the same for hooks of git, and the lines are for people. A session is a day. */
export async function runGitHook(terminal: Terminal, url: string | undefined): Promise<void> {
  const session = `git ${new Date(terminal.now()).toISOString().slice(0, 10)}`
  const lines = await within(limitsMs['after-tool'], (signal) =>
    newLines({ ...terminal, signal, out: () => {}, err: () => {} }, { url, session, moment: 'after-tool' }),
  )
  if (lines && lines.length > 0) for (const line of textForModel(lines).split('\n')) terminal.err(line)
}

interface Call {
  url: string | undefined
  agent?: string | undefined
  session: string
  moment: Moment
}

/** Records the work of the branch, and returns what is new for this session. */
async function newLines(terminal: Terminal, call: Call): Promise<string[]> {
  const place = findTop(terminal.cwd)
  if (place === undefined) return []
  const state = openState(place, terminal)
  if (terminal.now() < state.read().hooks.awayUntil) return []
  return withLock(state, terminal.signal, async () => {
    try {
      return await tellNews(terminal, call)
    } catch (error) {
      if (error instanceof ServiceAway) saveHooks(state, { awayUntil: terminal.now() + quietMs })
      throw error
    }
  })
}

async function tellNews(terminal: Terminal, { url, agent, session, moment }: Call): Promise<string[]> {
  // A hook never waits for open pull requests to be read.
  const context = await openContext(terminal, { ...(url !== undefined && { url }) }, { mayWait: false })
  const isStart = moment === 'session-start'
  const overlap = await recordAndCompare(context, { agent, isStart })
  if (!overlap) return []
  const hooks = context.state.read().hooks
  const [, told = []] = hooks.told.find(([one]) => one === session) ?? []
  const { ids, lines } = isStart ? briefingOf(overlap) : newsOf(overlap, told)
  saveHooks(context.state, { told: withTold(hooks, session, ids) })
  return lines
}

/** For what is in progress at the end: a failure is noted, and the lock is given back. */
const graceMs = 100

/** What `work` returns; undefined where it failed or took too long. */
async function within<Result>(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | undefined> {
  const over = new AbortController()
  const late = new AbortController()
  const timer = setTimeout(() => over.abort(), milliseconds)
  try {
    const end = wait(milliseconds + graceMs, undefined, { signal: late.signal })
    return await Promise.race([work(over.signal), end])
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
    late.abort()
  }
}
