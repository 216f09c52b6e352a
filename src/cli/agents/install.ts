import { existsSync, lstatSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { Failure, type Terminal } from '../terminal.ts'
import type { AgentWord } from './agents.ts'
import { isOwnPlugin, pluginText } from './opencode-plugin.ts'
import { hookFiles, isEmptySettings, pluginPath, withHooks, withoutHooks } from './settings-files.ts'

/** What the user has to allow before an agent runs installed hooks. Until then it runs none, without a word. */
export const allowNotes: Readonly<Record<AgentWord, string>> = {
  claude:
    'Claude Code runs them at once. Copilot CLI reads the same file, in a trusted folder alone: start `copilot` here, and trust the folder when it asks. Without a terminal give it --trust-folder.',
  codex:
    'Codex runs them only in a trusted folder, and only once you have agreed: start `codex` here, trust the folder, and at “Hooks need review” choose “Trust all and continue”. It asks again when the hooks change.',
  gemini:
    'Gemini CLI runs them only in a trusted folder: start `gemini` here, and answer “Do you trust the files in this folder?” with “Trust folder”. Without a terminal set GEMINI_CLI_TRUST_WORKSPACE=true; --skip-trust is not enough.',
  opencode: 'opencode runs them at once.',
}

/** Where the hooks of an agent are, from the top of the work tree. */
export function pathOf(agent: AgentWord): string {
  return agent === 'opencode' ? pluginPath : hookFiles[agent].path
}

/** Writes the hooks of an agent. Returns whether anything changed. Throws a `Failure` where a file cannot be changed safely. */
export function installHooks(top: string, agent: AgentWord, command: string): boolean {
  return change(top, pathOf(agent), (text) => {
    if (agent !== 'opencode') return withHooks(agent, text ?? '{}\n', command)
    if (text !== undefined && !isOwnPlugin(text)) throw new Failure('it was not written by headsup: left as it is.')
    return pluginText(command)
  })
}

/** Takes them away, and the file with its directories where nothing else is in them. */
export function uninstallHooks(top: string, agent: AgentWord): boolean {
  return change(top, pathOf(agent), (text) => {
    if (text === undefined) return undefined
    if (agent === 'opencode') return isOwnPlugin(text) ? undefined : text
    const left = withoutHooks(agent, text)
    return left !== text && isEmptySettings(left) ? undefined : left
  })
}

/** Whether hooks of ours are there. */
export function hasHooks(top: string, agent: AgentWord): boolean {
  const file = join(top, pathOf(agent))
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return agent === 'opencode' ? isOwnPlugin(text) : text.includes(`hook ${agent} --url `)
}

const byteOrderMark = '\ufeff'

function change(top: string, path: string, to: (text: string | undefined) => string | undefined): boolean {
  const file = join(top, path)
  try {
    // A clone can hold a link to any file of the user.
    for (let at = path; at !== '.'; at = dirname(at)) {
      if (lstatSync(join(top, at), { throwIfNoEntry: false })?.isSymbolicLink())
        throw new Failure('it is a link: left as it is.')
    }
    const read = existsSync(file) ? readFileSync(file, 'utf8') : undefined
    const [mark, before] = read?.startsWith(byteOrderMark) ? [byteOrderMark, read.slice(1)] : ['', read]
    const after = to(before)
    if (after === before) return false
    if (after === undefined) removeFile(top, path)
    else {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, mark + after)
    }
    return true
  } catch (error) {
    throw new Failure(`${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function removeFile(top: string, path: string): void {
  rmSync(join(top, path))
  try {
    for (let at = dirname(path); at !== '.'; at = dirname(at)) rmdirSync(join(top, at))
  } catch {
    // Other files are there.
  }
}

/**
 * The command line of an installed hook: `headsup` where it is on the PATH, so that the file can be shared, else this copy of the
 * program. It is the same each time, since Codex trusts its hash, and succeeds where the program is missing.
 */
export function hookCommand(
  agent: AgentWord,
  url: URL,
  { env }: Pick<Terminal, 'env'>,
  program: readonly string[],
): string {
  const isOnPath = (env.PATH ?? '')
    .split(delimiter)
    .some((directory) => directory !== '' && existsSync(join(directory, 'headsup')))
  const run = isOnPath ? 'headsup' : program.map((path) => shellQuoted(path.replaceAll('\\', '/'))).join(' ')
  return `${run} hook ${agent} --url ${shellQuoted(url.href)} 2>/dev/null || true`
}

function shellQuoted(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
