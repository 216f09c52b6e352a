import { readFile, readlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { asRecord, parseJson } from '../client/json.ts'
import { withoutHooks } from '../hooks/claude-settings.ts'
import { asideSuffix, gitHooks, isOwnScript, withoutBlock } from '../hooks/git-hook-script.ts'
import type { WorkTree } from './work-tree.ts'

/** Reads a file as git keeps it: of a link where it leads. One that is not there reads as empty. */
type Read = (path: string) => Promise<string>

interface Parts {
  /** Whether we are spoken of. */
  hasOurs: boolean
  /** What is not ours. */
  others: string
}

/** What is not committed, but for files that differ by nothing but our own hooks: installing them is nobody's work here. */
export async function ignoreOwnHooks({ git, top, uncommitted }: WorkTree): Promise<string[]> {
  const committed: Read = async (path) => (await git('cat-file', 'blob', `HEAD:${path}`)).stdout
  const present: Read = (path) => {
    const file = join(top, path)
    return readlink(file).catch(() => readFile(file, 'utf8').catch(() => ''))
  }
  const isOwn = async (path: string) => {
    const partsOf = reading(path)
    if (!partsOf) return false
    const [before, now] = await Promise.all([partsOf(committed), partsOf(present)])
    return (before.hasOurs || now.hasOurs) && before.others === now.others
  }
  const own = await Promise.all(uncommitted.map(isOwn))
  return uncommitted.filter((_, index) => !own[index])
}

/** What takes apart such a file; undefined for all other files. */
function reading(path: string): ((read: Read) => Promise<Parts>) | undefined {
  if (/^\.claude\/settings(?:\.local)?\.json$/.test(path)) return (read) => settingsParts(path, read)
  const hook = path.endsWith(asideSuffix) ? path.slice(0, -asideSuffix.length) : path
  return gitHooks.some((name) => name === basename(hook)) ? (read) => hookParts(hook, read) : undefined
}

async function settingsParts(path: string, read: Read): Promise<Parts> {
  const text = await read(path)
  return { hasOurs: text.includes('headsup'), others: othersInSettings(text) }
}

/** A hook that was moved aside is what it was before ours took its place. */
async function hookParts(hook: string, read: Read): Promise<Parts> {
  const script = await read(hook)
  const others = isOwnScript(script) ? await read(hook + asideSuffix) : withoutBlock(script)
  return { hasOurs: script.includes('headsup'), others }
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
