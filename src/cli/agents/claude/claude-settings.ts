import { asRecord, type Json, textField } from '../../client/json.ts'
import { exitCodes, Failure } from '../../failure.ts'

/** Our entries in Claude Code's settings, by event. The timeout is in seconds. */
function hookGroups(command: string): Readonly<Record<string, Json>> {
  const hook = { type: 'command', command, timeout: 5 }
  const edits = 'Edit|Write|MultiEdit|NotebookEdit'
  return {
    SessionStart: { hooks: [hook] },
    PreToolUse: { matcher: edits, hooks: [hook] },
    // A heartbeat has no output, so Claude Code need not wait for it.
    PostToolUse: { matcher: `${edits}|Bash`, hooks: [{ ...hook, async: true }] },
    SessionEnd: { hooks: [hook] },
  }
}

/** The settings with our hooks added and all else unchanged. Adding the same hooks again changes nothing. */
export function withHooks(settings: Json, command: string): Json {
  const wanted = Object.entries(hookGroups(command))
  const isInstalled = ([event, group]: [string, Json]) =>
    groupsOf(settings, event)
      .filter(isOurs)
      .map((found) => JSON.stringify(found))
      .join() === JSON.stringify(group)
  if (wanted.every(isInstalled)) return settings
  const others = withoutHooks(settings)
  const hooks = asRecord(others.hooks)
  const added = wanted.map(([event, group]) => [event, [...groupsOf(others, event), group]])
  return { ...others, hooks: { ...hooks, ...Object.fromEntries(added) } }
}

/** The settings without our hooks, and without the groups and events that are empty then. */
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
    `The hooks in these settings do not have the form of Claude Code's (${event}): left as they are.`,
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
