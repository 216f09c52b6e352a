import {
  applyEdits,
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  modify,
  type Node,
  type ParseError,
  parseTree,
} from 'jsonc-parser'
import { Failure } from '../terminal.ts'
import type { AgentWord } from './hosts.ts'

/** The agents with hooks in a settings file. All of them have one form: `{hooks: {EVENT: [{matcher, hooks: [HANDLER]}]}}`. */
export type SettingsAgent = Exclude<AgentWord, 'opencode'>

interface HookFile {
  /** From the top of the work tree. */
  path: string
  events: Readonly<Record<string, { matcher?: string }>>
  /** Longer than a hook takes: in seconds, but for Gemini CLI. */
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

const byteOrderMark = '\ufeff'

/** The text of a settings file with our hooks, each once. All else stays as it is, comments and layout too. */
export function withHooks(agent: SettingsAgent, text: string, command: string): string {
  const { events, timeout } = hookFiles[agent]
  const groups = Object.entries(events).map(([event, more]) => {
    return [event, { ...more, hooks: [{ type: 'command', command, timeout }] }] as const
  })
  if (groups.every(([event, group]) => isOnlyOwn(ownGroups(text, event), group))) return text
  return groups.reduce(
    (now, [event, group]) => {
      const before = findNodeAtLocation(rootOf(now), ['hooks', event])
      return before?.type === 'array'
        ? edited(now, ['hooks', event, before.children?.length ?? 0], group, true)
        : edited(now, ['hooks', event], [group])
    },
    withoutHooks(agent, text),
  )
}

/** The text without our hooks, and without the lists that are empty then. */
export function withoutHooks(agent: SettingsAgent, text: string): string {
  let now = text
  let hasChanged = false
  for (const event of Object.keys(hookFiles[agent].events)) {
    for (let path = ownHandler(now, event); path; path = ownHandler(now, event)) {
      now = removed(now, path)
      hasChanged = true
      // What is empty by that: the group, the list of the event, all hooks.
      for (let at = path.slice(0, -1); at.length > 0 && isEmptied(now, at); at = at.slice(0, -1)) now = removed(now, at)
    }
  }
  return hasChanged ? now : text
}

/** Whether nothing is in a settings file. */
export function isEmptySettings(text: string): boolean {
  return text.replace(byteOrderMark, '').replace(/\s/g, '') === '{}'
}

type Path = (string | number)[]

function ownHandler(text: string, event: string): Path | undefined {
  const groups = findNodeAtLocation(rootOf(text), ['hooks', event])
  for (const [group, node] of (groups?.children ?? []).entries()) {
    const handlers = findNodeAtLocation(node, ['hooks'])?.children ?? []
    const handler = handlers.findIndex(isOwn)
    if (handler >= 0) return ['hooks', event, group, 'hooks', handler]
  }
  return undefined
}

function isOwn(handler: Node): boolean {
  const command = findNodeAtLocation(handler, ['command'])
  return command?.type === 'string' && ownCommand.test(String(command.value))
}

function ownGroups(text: string, event: string): unknown[] {
  const groups = findNodeAtLocation(rootOf(text), ['hooks', event])?.children ?? []
  return groups.filter((group) => findNodeAtLocation(group, ['hooks'])?.children?.some(isOwn)).map(getNodeValue)
}

function isOnlyOwn(found: readonly unknown[], group: object): boolean {
  return found.length === 1 && JSON.stringify(found[0]) === JSON.stringify(group)
}

/** A list or an object without entries; a group whose list of handlers has gone, whatever its matcher is. */
function isEmptied(text: string, path: Path): boolean {
  const node = findNodeAtLocation(rootOf(text), path)
  const isGroup = path.length === 3 && typeof path[2] === 'number'
  return (
    node !== undefined && (isGroup ? findNodeAtLocation(node, ['hooks']) === undefined : node.children?.length === 0)
  )
}

function edited(text: string, path: Path, value: unknown, isArrayInsertion = false): string {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : ''
  const json = text.slice(mark.length)
  const [, indent = '  '] = /^([ \t]+)"/m.exec(json) ?? []
  const eol = json.includes('\r\n') ? '\r\n' : '\n'
  const formattingOptions = {
    insertSpaces: !indent.includes('\t'),
    tabSize: indent.includes('\t') ? 1 : indent.length,
    eol,
  }
  return mark + applyEdits(json, modify(json, path, value, { formattingOptions, isArrayInsertion }))
}

/** The text without an entry and its comma. Comments stay, which `modify` takes away together with the entry before them. */
function removed(text: string, path: Path): string {
  const found = findNodeAtLocation(rootOf(text), path)
  const entry = found?.parent?.type === 'property' ? found.parent : found
  const siblings = entry?.parent?.children ?? []
  if (!entry) return text
  const at = siblings.indexOf(entry)
  const mark = text.startsWith(byteOrderMark) ? 1 : 0
  const [from, to] = [mark + entry.offset, mark + entry.offset + entry.length]
  const before = siblings[at - 1]
  const next = siblings[at + 1]
  if (before) {
    const comma = nextToken(text, mark + before.offset + before.length)
    return joined(text.slice(0, comma) + text.slice(comma + 1, from), text.slice(to))
  }
  return joined(text.slice(0, from), text.slice(next ? nextToken(text, to) + 1 : to))
}

/** Two parts around what was removed. A comment before it ends with its line. */
function joined(before: string, after: string): string {
  return /^[ \t]*\r?\n/.test(after) ? before.trimEnd() + after : before + after
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
  const root = parseTree(text.replace(byteOrderMark, ''), errors, { allowTrailingComma: true })
  if (errors.length > 0 || root?.type !== 'object') throw new Failure('it is no JSON object: mend it first.')
  return root
}
