import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { withoutHooks } from './claude-settings.ts'
import { gitHooks, withoutScript } from './git-hook-script.ts'
import { asRecord, parseJson } from './json.ts'
import type { WorkTree } from './work-tree.ts'

/** What is not committed, but for files that differ by nothing but our own hooks: installing them is nobody's work here. */
export async function withoutOwnFiles({ git, top, uncommitted }: WorkTree): Promise<string[]> {
  const isOwn = async (path: string) => {
    const others = othersIn(path)
    if (!others) return false
    // One that is not there reads as empty.
    const [{ stdout: before }, now] = await Promise.all([
      git('cat-file', 'blob', `HEAD:${path}`),
      readFile(join(top, path), 'utf8').catch(() => ''),
    ])
    return (before + now).includes('headsup') && others(before) === others(now)
  }
  const own = await Promise.all(uncommitted.map(isOwn))
  return uncommitted.filter((_, index) => !own[index])
}

/** What reads the part that is not ours from such a file; undefined for all other files. */
function othersIn(path: string): ((text: string) => string) | undefined {
  if (/^\.claude\/settings(?:\.local)?\.json$/.test(path)) return othersInSettings
  return gitHooks.some((name) => name === basename(path)) ? withoutScript : undefined
}

function othersInSettings(text: string): string {
  if (text.trim() === '') return '{}'
  try {
    const settings = parseJson(text)
    return settings === undefined ? text : JSON.stringify(withoutHooks(asRecord(settings)))
  } catch {
    // Hooks that are not as Claude Code has them.
    return text
  }
}
