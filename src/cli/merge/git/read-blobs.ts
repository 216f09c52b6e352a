import { NotTried } from '../merge-result.ts'
import type { GitProcesses } from './git-process.ts'
import { type Guards, isolatedEnv, settingsEnv } from './guards.ts'
import type { MergeStore } from './merge-store.ts'

/** What runs git in the store. */
export interface StoreGit {
  git: GitProcesses
  store: MergeStore
  env: NodeJS.ProcessEnv
  guards: Guards
}

/** Runs git in the store, where it fetches nothing. */
export function inStore({ git, store, env, guards }: StoreGit, args: readonly string[], input = '') {
  const variables = {
    ...isolatedEnv(env, store.directory, guards),
    ...settingsEnv(Object.entries(guards.merge), guards),
  }
  return git.run({ args: [`--git-dir=${store.directory}`, ...args], cwd: store.directory, env: variables, input })
}

/** The contents of files, each named as `COMMIT:PATH`, by one process; null for one that is not there. */
export async function readBlobs(at: StoreGit, names: readonly string[]): Promise<(Buffer | null)[]> {
  // A line feed would be another name.
  const asked = names.map((name) => (name.includes('\n') ? ':' : name))
  const { code, stdout } = await inStore(at, ['cat-file', '--batch'], asked.map((name) => `${name}\n`).join(''))
  if (code !== 0) throw new NotTried('failed')
  let from = 0
  return names.map(() => {
    const end = stdout.indexOf('\n', from)
    if (end < 0) throw new NotTried('failed')
    const [, type, size] = / (blob|tree|commit|tag) (\d+)$/.exec(stdout.toString('utf8', from, end)) ?? []
    from = end + 1
    if (size === undefined) return null
    const content = stdout.subarray(from, from + Number(size))
    from += content.length + 1
    return type === 'blob' ? content : null
  })
}
