import { createScanner, findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser'
import { Failure } from '../terminal.ts'
import type { AgentWord } from './agents.ts'

/** The agents with hooks in a settings file. All of them have one form: `{hooks: {EVENT: [{matcher, hooks: [HANDLER]}]}}`. */
export type SettingsAgent = Exclude<AgentWord, 'opencode'>

interface HookFile {
  /** From the top of the work tree. */
  path: string
  events: Readonly<Record<string, { matcher?: string }>>
  /** When the agent ends a hook, which is longer than one takes (`limitsMs`): in seconds, but for Gemini CLI. */
  timeout: number
}

export const hookFiles: Readonly<Record<SettingsAgent, HookFile>> = {
  claude: {
    path: '.claude/settings.json',
    // Not `async`: the model would be told with the request after the next one.
    events: { SessionStart: {}, PostToolUse: { matcher: 'Edit|Write|MultiEdit|NotebookEdit|Bash' } },
    timeout: 5,
  },
  codex: {
    path: '.codex/hooks.json',
    events: { SessionStart: {}, PostToolUse: { matcher: 'apply_patch|Bash' } },
    timeout: 5,
  },
  gemini: {
    path: '.gemini/settings.json',
    events: { SessionStart: {}, AfterTool: { matcher: 'write_file|replace|run_shell_command' } },
    timeout: 5_000,
  },
}

export const pluginPath = '.opencode/plugins/headsup.js'

/** The files that `hook install` writes: they are no work. */
export const hookPaths: ReadonlySet<string> = new Set([...Object.values(hookFiles).map(({ path }) => path), pluginPath])

/** A handler that an installation wrote, whatever its address and program are. */
const ownCommand = /\bhook (?:claude|codex|gemini) --url /

/** The text of a settings file with our hooks, each once. All else stays as it is, byte by byte. */
export function withHooks(agent: SettingsAgent, text: string, command: string): string {
  const { events, timeout } = hookFiles[agent]
  const groups = Object.entries(events).map(([event, more]) => {
    return [event, { ...more, hooks: [{ type: 'command', command, timeout }] }] as const
  })
  if (groups.every(([event, group]) => isOnlyOwn(ownGroups(text, event), group))) return text
  return groups.reduce((now, [event, group]) => withGroup(now, event, group), withoutHooks(agent, text))
}

/** The text without our hooks, and without the lists that held nothing else. */
export function withoutHooks(agent: SettingsAgent, text: string): string {
  let now = text
  for (const event of Object.keys(hookFiles[agent].events)) {
    for (let own = ownEntry(now, event); own; own = ownEntry(now, event)) now = removed(now, own)
  }
  return now
}

/** Whether nothing is in a settings file. */
export function isEmptySettings(text: string): boolean {
  return text.replace(/\s/g, '') === '{}'
}

function ownGroups(text: string, event: string): unknown[] {
  const groups = findNodeAtLocation(rootOf(text), ['hooks', event])?.children ?? []
  return groups.filter((group) => handlersIn(group).some(isOwn)).map(getNodeValue)
}

function isOnlyOwn(found: readonly unknown[], group: object): boolean {
  return found.length === 1 && JSON.stringify(found[0]) === JSON.stringify(group)
}

/** The first handler of ours in the lists of an event, or what holds nothing else: its group, the list, all hooks. */
function ownEntry(text: string, event: string): Node | undefined {
  for (const group of findNodeAtLocation(rootOf(text), ['hooks', event])?.children ?? []) {
    const handlers = handlersIn(group)
    const own = handlers.find(isOwn)
    if (own) return handlers.length > 1 ? own : outermostOfOne(group)
  }
  return undefined
}

/** The outermost entry that holds nothing but this one. */
function outermostOfOne(group: Node): Node {
  let entry = group
  for (let holder = entry.parent; holder?.parent && holder.children?.length === 1; holder = entry.parent) {
    entry = holder.parent.type === 'property' ? holder.parent : holder
  }
  return entry
}

function handlersIn(group: Node): Node[] {
  return findNodeAtLocation(group, ['hooks'])?.children ?? []
}

function isOwn(handler: Node): boolean {
  const command = findNodeAtLocation(handler, ['command'])
  return command?.type === 'string' && ownCommand.test(String(command.value))
}

/** Adds a group of handlers as the last one of its event. */
function withGroup(text: string, event: string, group: object): string {
  const root = rootOf(text)
  const hooks = findNodeAtLocation(root, ['hooks'])
  const groups = findNodeAtLocation(root, ['hooks', event])
  if ((hooks && hooks.type !== 'object') || (groups && groups.type !== 'array'))
    throw new Failure('its hooks have another form than those of the agent: mend it first.')
  if (groups) return added(text, groups, 3, '', group)
  if (hooks) return added(text, hooks, 2, `${JSON.stringify(event)}: `, [group])
  return added(text, root, 1, '"hooks": ', { [event]: [group] })
}

/** The text with one entry more at the end of an object or a list: on the line of the others, or on lines of its own. */
function added(text: string, holder: Node, depth: number, key: string, value: object): string {
  const [, indent = '  '] = /^([ \t]+)"/m.exec(text) ?? []
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  const margin = (levels: number) => lineEnd + indent.repeat(levels)
  const lines = margin(depth) + key + JSON.stringify(value, undefined, indent).replaceAll('\n', margin(depth))
  const last = holder.children?.at(-1)
  const at = last ? last.offset + last.length : holder.offset + 1
  const put = (entry: string) => text.slice(0, at) + entry + text.slice(at)
  if (!last) return put(lines + margin(depth - 1))
  const isOneLine = !text.slice(holder.offset, at).includes('\n')
  return put(isOneLine ? `, ${key}${JSON.stringify(value)}` : `,${lines}`)
}

/** The text without an entry and its comma: what `added` wrote goes without a trace. Comments stay. */
function removed(text: string, entry: Node): string {
  const holder = entry.parent ?? entry
  const siblings = holder.children ?? []
  const at = siblings.indexOf(entry)
  const [before, next] = [siblings[at - 1], siblings[at + 1]]
  const [from, to] = [entry.offset, entry.offset + entry.length]
  const comments = (start: number, end: number) => (/\S/.test(text.slice(start, end)) ? text.slice(start, end) : '')
  if (before) {
    const comma = nextToken(text, before.offset + before.length)
    return text.slice(0, comma) + comments(comma + 1, from) + text.slice(to)
  }
  if (next) return text.slice(0, from) + comments(nextToken(text, to) + 1, next.offset) + text.slice(next.offset)
  const opening = holder.offset + 1
  if (comments(opening, from) !== '') return text.slice(0, from) + text.slice(to)
  return text.slice(0, opening) + text.slice(to).replace(/^\r?\n[ \t]*/, '')
}

/** Where the token after an entry is, which is its comma. */
function nextToken(text: string, offset: number): number {
  const scanner = createScanner(text, true)
  scanner.setPosition(offset)
  scanner.scan()
  return scanner.getTokenOffset()
}

function rootOf(text: string): Node {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true })
  if (errors.length > 0 || root?.type !== 'object') throw new Failure('it is no JSON object: mend it first.')
  return root
}
