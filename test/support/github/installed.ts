import type { Installation, Repository, World } from './world.ts'

export function covers({ account, repositories }: Installation, { id, owner }: Repository): boolean {
  return account.toLowerCase() === owner.toLowerCase() && (repositories === 'all' || repositories.includes(id))
}

/** The App's installation that covers the repository, a suspended one too. */
export function installationOf({ installations }: World, repository: Repository): Installation | undefined {
  return [...installations.values()].find((one) => covers(one, repository))
}
