import { asRecord, type Json } from '../../client/json.ts'
import { exitCodes, Failure } from '../../failure.ts'
import { type HookFile, installable } from './hook-files.ts'

/** Whether the settings have hooks of ours. */
export function hasHooks(settings: Json): boolean {
  return JSON.stringify(withoutHooks(settings)) !== JSON.stringify(settings)
}

/** The settings with our hooks added and all else unchanged. Adding the same hooks again changes nothing. */
export function withHooks(settings: Json, { frame, entries }: HookFile, command: string): Json {
  const wanted = Object.entries(entries(command))
  const isInstalled = ([event, group]: [string, Json]) =>
    groupsOf(settings, event)
      .filter(isOurs)
      .map((found) => JSON.stringify(found))
      .join() === JSON.stringify(group)
  if (wanted.every(isInstalled)) return settings
  const others = withoutHooks(settings)
  const hooks = asRecord(others.hooks)
  const added = wanted.map(([event, group]) => [event, [...groupsOf(others, event), group]])
  return { ...frame, ...others, hooks: { ...hooks, ...Object.fromEntries(added) } }
}

/** The settings without our hooks, and without the groups, events and files that are empty then. */
export function withoutHooks(settings: Json): Json {
  const { hooks, ...others } = settings
  if (hooks === undefined) return settings
  const events = Object.keys(asRecord(hooks))
  const left = events.flatMap((event) => {
    const before = groupsOf(settings, event)
    const after = before.flatMap(withoutOurs)
    return after.length > 0 || before.length === 0 ? [[event, after]] : []
  })
  if (left.length === 0 && events.length > 0) return isFrame(others) ? {} : others
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [key, key === 'hooks' ? Object.fromEntries(left) : value]),
  )
}

/** Whether nothing but the version of the format is left. */
function isFrame(others: Json): boolean {
  return Object.keys(others).every((key) => key === 'version')
}

function groupsOf(settings: Json, event: string): unknown[] {
  const { hooks = {} } = settings
  const groups = asRecord(hooks)[event] ?? []
  if (typeof hooks === 'object' && hooks !== null && !Array.isArray(hooks) && Array.isArray(groups)) return groups
  throw new Failure(
    exitCodes.refused,
    `The hooks in these settings do not have the form that their agent reads (${event}): left as they are.`,
  )
}

const ours = new RegExp(String.raw`\bheadsup\b.*\bhook (?:${installable.join('|')})\b|\bhook \w+\b.*# headsup$`, 's')

/** A hook has its command in `command`, or in `bash`. */
function isOurCommand(hook: unknown): boolean {
  const { command, bash } = asRecord(hook)
  return [command, bash].some((text) => typeof text === 'string' && ours.test(text))
}

/** An entry of an event is a hook, or a group of hooks. */
function isOurs(entry: unknown): boolean {
  const { hooks } = asRecord(entry)
  return isOurCommand(entry) || (Array.isArray(hooks) && hooks.some(isOurCommand))
}

function withoutOurs(entry: unknown): unknown[] {
  if (!isOurs(entry)) return [entry]
  const { hooks, ...rest } = asRecord(entry)
  const left = Array.isArray(hooks) ? hooks.filter((hook) => !isOurCommand(hook)) : []
  return left.length > 0 ? [{ ...rest, hooks: left }] : []
}
