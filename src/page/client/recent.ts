import { type RepositoryOfPage, repositoryInText } from '../../core/page-paths.ts'

const key = 'headsup.recent'
const most = 8

/** A browser may refuse storage. */
function attempt<Result>(act: () => Result): Result | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

/** The repositories that were opened last, newest first. They are saved only in this browser. */
export function readRecent(): RepositoryOfPage[] {
  const names: unknown = attempt(() => JSON.parse(localStorage.getItem(key) ?? '[]'))
  return Array.isArray(names) ? names.flatMap((name) => repositoryInText(String(name)) ?? []) : []
}

export function putFirst({ owner, repo }: RepositoryOfPage): void {
  const name = `${owner}/${repo}`
  const names = readRecent().map((one) => `${one.owner}/${one.repo}`)
  const rest = names.filter((one) => one.toLowerCase() !== name.toLowerCase())
  attempt(() => localStorage.setItem(key, JSON.stringify([name, ...rest].slice(0, most))))
}

/** Forgets all names, when a person signs out: those of private repositories are nobody else's. */
export function forgetRecent(): void {
  attempt(() => localStorage.removeItem(key))
}
