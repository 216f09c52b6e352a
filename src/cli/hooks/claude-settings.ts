import { asRecord, type Json, textField } from '../client/json.ts'
import { exitCodes, Failure } from '../failure.ts'

/** What is put into Claude Code's settings, by event. Times are in seconds there. */
function wantedGroups(command: string): Readonly<Record<string, Json>> {
  const hook = { type: 'command', command, timeout: 5 }
  const edits = 'Edit|Write|MultiEdit|NotebookEdit'
  return {
    SessionStart: { hooks: [hook] },
    PreToolUse: { matcher: edits, hooks: [hook] },
    // A heartbeat has nothing to say, so nothing waits for it.
    PostToolUse: { matcher: `${edits}|Bash`, hooks: [{ ...hook, async: true }] },
    SessionEnd: { hooks: [hook] },
  }
}

/** The settings with our hooks in them, whatever else is there left alone. The same ones again change nothing. */
export function withHooks(settings: Json, command: string): Json {
  const wanted = Object.entries(wantedGroups(command))
  const isThere = ([event, group]: [string, Json]) =>
    groupsOf(settings, event)
      .filter(isOurs)
      .map((found) => JSON.stringify(found))
      .join() === JSON.stringify(group)
  if (wanted.every(isThere)) return settings
  const others = withoutHooks(settings)
  const hooks = asRecord(others.hooks)
  const added = wanted.map(([event, group]) => [event, [...groupsOf(others, event), group]])
  return { ...others, hooks: { ...hooks, ...Object.fromEntries(added) } }
}

/** The settings without our hooks, and without what only they needed. */
export function withoutHooks(settings: Json): Json {
  const { hooks, ...others } = settings
  if (hooks === undefined) return settings
  const events = Object.keys(asRecord(hooks))
  const left = events.flatMap((event) => {
    const before = groupsOf(settings, event)
    const after = before.flatMap(withoutOurs)
    return after.length > 0 || before.length === 0 ? [[event, after]] : []
  })
  if (left.length === 0 && events.length > 0) return others
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [key, key === 'hooks' ? Object.fromEntries(left) : value]),
  )
}

function groupsOf(settings: Json, event: string): unknown[] {
  const { hooks = {} } = settings
  const groups = asRecord(hooks)[event] ?? []
  if (typeof hooks === 'object' && hooks !== null && !Array.isArray(hooks) && Array.isArray(groups)) return groups
  throw new Failure(
    exitCodes.refused,
    `The hooks of these settings are not as Claude Code has them (${event}): left as they are.`,
  )
}

function isOurCommand(hook: unknown): boolean {
  return /\bheadsup\b.*\bhook claude\b|\bhook claude\b.*# headsup$/s.test(textField(asRecord(hook), 'command') ?? '')
}

function isOurs(group: unknown): boolean {
  const { hooks } = asRecord(group)
  return Array.isArray(hooks) && hooks.some(isOurCommand)
}

function withoutOurs(group: unknown): unknown[] {
  if (!isOurs(group)) return [group]
  const { hooks, ...rest } = asRecord(group)
  const left = Array.isArray(hooks) ? hooks.filter((hook) => !isOurCommand(hook)) : []
  return left.length > 0 ? [{ ...rest, hooks: left }] : []
}
