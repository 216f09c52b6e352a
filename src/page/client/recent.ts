import type { RepositoryOfPage } from '../../http/page-paths.ts'

const key = 'headsup.recent'
const most = 8

/** The repositories that were opened last, newest first. They are saved only in this browser. */
export function readRecent(): RepositoryOfPage[] {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    if (!Array.isArray(names)) return []
    return names.flatMap((name: unknown) => {
      const [, owner, repo] = /^([A-Za-z0-9_-]{1,100})\/([A-Za-z0-9._-]{1,100})$/.exec(String(name)) ?? []
      return owner && repo ? [{ owner, repo }] : []
    })
  } catch {
    return []
  }
}

/** Puts the repository first. Does nothing where the browser has no storage. */
export function putFirst({ owner, repo }: RepositoryOfPage): void {
  const name = `${owner}/${repo}`
  const names = readRecent().map((one) => `${one.owner}/${one.repo}`)
  const rest = names.filter((one) => one.toLowerCase() !== name.toLowerCase())
  try {
    localStorage.setItem(key, JSON.stringify([name, ...rest].slice(0, most)))
  } catch {
    // A browser may refuse storage.
  }
}

/** Forgets all names, when a person signs out: those of private repositories are nobody else's. */
export function forgetRecent(): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // A browser may refuse storage.
  }
}
