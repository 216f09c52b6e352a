import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { splitNul } from '../../git/git.ts'
import type { LocatedWorkTree } from '../../git/locate-work-tree.ts'
import { NotTried } from '../merge-result.ts'
import type { GitProcesses } from './git-process.ts'
import { type Guards, quietEnv, settingsEnv } from './guards.ts'

/** What is known of a clone before anything is written. */
export interface Clone {
  top: string
  gitDirectory: string
  objects: string
  /** `sha1` or `sha256`. */
  objectFormat: string
  /** Whether objects may be missing that the server has. */
  isPartial: boolean
  /** Settings for reaching the server. */
  network: [string, string][]
  /** The guards against programs that the settings of the clone name. */
  settings: [string, string][]
  hasFilters: boolean
  /** The first two numbers of git's version. */
  version: [number, number]
}

/** Of the user's settings for https, those that are needed to reach a server and name no other place and no secret of the clone. */
const networkKeys =
  'http\\.(.*\\.)?(proxy|proxyauthmethod|sslcainfo|sslcapath|sslbackend|sslcert|sslkey|schannelusesslcainfo|version)'
const wantedKeys = `^(filter\\..*|${networkKeys}|core\\.sshcommand|ssh\\.variant|extensions\\..*|remote\\..*\\.promisor)$`

/** git keeps these while a merge or rebase is not finished. */
export const inProgress = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply']

const maxIndexBytes = 32 * 1024 * 1024

export async function readClone(
  git: GitProcesses,
  { top, gitDirectory }: LocatedWorkTree,
  env: NodeJS.ProcessEnv,
  guards: Guards,
): Promise<Clone> {
  if (inProgress.some((name) => existsSync(join(gitDirectory, name)))) throw new NotTried('in_progress')
  const index = statSync(join(gitDirectory, 'index'), { throwIfNoEntry: false })
  if (!index) throw new NotTried('no_commit')
  if (index.size > maxIndexBytes) throw new NotTried('too_large')
  const common = resolve(gitDirectory, textOf(join(gitDirectory, 'commondir')) || '.')
  if (textOf(join(common, 'shallow')) !== '') throw new NotTried('shallow')
  const always = Object.entries(guards.clone)
  const reading = { ...quietEnv(env, guards), GIT_CEILING_DIRECTORIES: dirname(top), ...settingsEnv(always, guards) }
  const [config, version] = await Promise.all([
    git.run({ args: ['config', '-z', '--get-regexp', wantedKeys], cwd: top, env: reading }),
    git.run({ args: ['version'], cwd: top, env: reading }),
  ])
  // git ends with 1 where it finds none.
  if (config.code > 1) throw new NotTried('failed')
  const entries = splitNul(config.stdout.toString()).map(readEntry)
  const named = (pattern: RegExp) => entries.filter(([key]) => pattern.test(key))
  const drivers = new Set(named(/^filter\..*\./s).map(([key]) => key.slice(0, key.lastIndexOf('.'))))
  const withoutFilters = [...drivers].flatMap((driver) =>
    Object.entries(guards.filter).map(([name, value]): [string, string] => [`${driver}.${name}`, value]),
  )
  return {
    top,
    gitDirectory,
    objects: join(common, 'objects'),
    objectFormat: named(/^extensions\.objectformat$/).at(-1)?.[1] ?? 'sha1',
    isPartial: named(/^(?:extensions\.partialclone|remote\..*\.promisor)$/s).some(([, value]) => value !== 'false'),
    network: named(/^(?:http|core|ssh)\./),
    settings: [...always, ...withoutFilters],
    hasFilters: drivers.size > 0,
    version: readVersion(version.stdout.toString()),
  }
}

/** A setting without a value is true. */
function readEntry(entry: string): [string, string] {
  const end = entry.indexOf('\n')
  return end < 0 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)]
}

function readVersion(text: string): [number, number] {
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(text) ?? []
  return [Number(major), Number(minor)]
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}
