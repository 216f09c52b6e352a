import { readFile, readlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { hookFiles } from '../agents/install/hook-files.ts'
import { withoutHooks } from '../agents/install/hook-settings.ts'
import { isOwnPlugin, pluginPath } from '../agents/opencode/plugin-file.ts'
import { asRecord, parseJson } from '../client/json.ts'
import { gitHooks, isOwnScript, replacedSuffix, withoutBlock } from '../hooks/git-hook-script.ts'
import type { UncommittedFile } from './git-status.ts'
import type { WorkTree } from './work-tree.ts'

/** Reads a file as git stores it: a link as its target. A missing file reads as empty. */
type Read = (path: string) => Promise<string>

interface Parts {
  /** Whether the file mentions Headsup. */
  hasOurs: boolean
  /** The content without our hooks. */
  others: string
}

/** The uncommitted files without those whose only change is our own hooks: installing hooks is not work on the repository. */
export async function withoutOwnHooks({ git, top, uncommitted }: WorkTree): Promise<UncommittedFile[]> {
  const namesOf = (untracked: boolean) =>
    new Set(uncommitted.flatMap(({ path, isUntracked }) => (isUntracked === untracked ? path : [])))
  const [tracked, untracked] = [namesOf(false), namesOf(true)]
  const committed: Read = async (path) =>
    untracked.has(path) && !tracked.has(path) ? '' : (await git('cat-file', 'blob', `HEAD:${path}`)).stdout
  const present: Read = (path) => {
    const file = join(top, path)
    return readlink(file).catch(() => readFile(file, 'utf8').catch(() => ''))
  }
  const hasOwnHooksOnly = async ({ path }: UncommittedFile) => {
    const partsOf = partsReader(path)
    if (!partsOf) return false
    const [before, now] = await Promise.all([partsOf(committed), partsOf(present)])
    return (before.hasOurs || now.hasOurs) && before.others === now.others
  }
  const own = await Promise.all(uncommitted.map(hasOwnHooksOnly))
  return uncommitted.filter((_, index) => !own[index])
}

const settingsPaths = [...Object.values(hookFiles).map(({ path }) => path), '.claude/settings.local.json']

/** Reads the parts of a file that can contain our hooks; undefined for other files. */
function partsReader(path: string): ((read: Read) => Promise<Parts>) | undefined {
  if (settingsPaths.includes(path)) return (read) => settingsParts(path, read)
  if (path === pluginPath) return pluginParts
  const hook = path.endsWith(replacedSuffix) ? path.slice(0, -replacedSuffix.length) : path
  return gitHooks.some((name) => name === basename(hook)) ? (read) => hookParts(hook, read) : undefined
}

const pluginParts = async (read: Read): Promise<Parts> => {
  const text = await read(pluginPath)
  const hasOurs = isOwnPlugin(text)
  return { hasOurs, others: hasOurs ? '' : text }
}

async function settingsParts(path: string, read: Read): Promise<Parts> {
  const text = await read(path)
  return { hasOurs: text.includes('headsup'), others: othersInSettings(text) }
}

/** The other part of a replaced hook is the hook under its new name. */
async function hookParts(hook: string, read: Read): Promise<Parts> {
  const script = await read(hook)
  const others = isOwnScript(script) ? await read(hook + replacedSuffix) : withoutBlock(script)
  return { hasOurs: script.includes('headsup'), others }
}

function othersInSettings(text: string): string {
  if (text.trim() === '') return '{}'
  try {
    const settings = parseJson(text)
    return settings === undefined ? text : JSON.stringify(withoutHooks(asRecord(settings)))
  } catch {
    // The hooks do not have the form that their agent reads.
    return text
  }
}
