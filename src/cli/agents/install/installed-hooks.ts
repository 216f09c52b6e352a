import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { asRecord, parseJson } from '../../client/json.ts'
import { Failure } from '../../failure.ts'
import { locateWorkTree } from '../../git/locate-work-tree.ts'
import type { Terminal } from '../../terminal.ts'
import { isOwnPlugin, pluginPath } from '../opencode/plugin-file.ts'
import { hookFiles, type Installable, installable } from './hook-files.ts'
import { hasHooks } from './hook-settings.ts'

/** The agents that have hooks of ours, in the settings of this work tree or, for Claude Code, of the user. */
export function agentsWithHooks(terminal: Terminal): Installable[] {
  const located = locateWorkTree(terminal)
  if ('refusal' in located) return []
  return installable.filter((name) => filesOf(name, located.top, terminal).some(fileHasHooks))
}

function filesOf(name: Installable, top: string, { env }: Terminal): string[] {
  const file = join(top, name === 'opencode' ? pluginPath : hookFiles[name].path)
  if (name !== 'claude') return [file]
  const home = env.CLAUDE_CONFIG_DIR ?? (env.HOME && join(env.HOME, '.claude'))
  return [file, file.replace(/\.json$/, '.local.json'), ...(home ? [join(home, 'settings.json')] : [])]
}

function fileHasHooks(file: string): boolean {
  if (!existsSync(file)) return false
  const text = readFileSync(file, 'utf8')
  if (isOwnPlugin(text)) return true
  try {
    return hasHooks(asRecord(parseJson(text)))
  } catch (error) {
    // The settings have a form that no hooks of ours have.
    if (error instanceof Failure) return false
    throw error
  }
}
