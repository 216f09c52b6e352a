import { findAccount, type GithubData } from './data.ts'

/**
 * Gives an account another login. Its id, tokens, repositories and pull requests stay its own. The former login is free:
 * `addAccount` makes another account of it, with another id.
 */
export function renameAccount(data: GithubData, former: string, login: string): void {
  const account = findAccount(data, former)
  if (account === undefined) throw new Error(`the stand-in has no account ${former}`)
  const renamed = (one: string) => (one.toLowerCase() === former.toLowerCase() ? login : one)
  data.accounts.delete(former.toLowerCase())
  data.accounts.set(login.toLowerCase(), Object.assign(account, { login }))
  for (const token of data.tokens.values()) token.login = token.login === null ? null : renamed(token.login)
  for (const installation of data.installations.values()) installation.account = renamed(installation.account)
  for (const repository of data.repositories.values()) {
    repository.owner = renamed(repository.owner)
    repository.roles = new Map([...repository.roles].map(([one, role]) => [renamed(one), role]))
    for (const pull of repository.pulls) {
      pull.author = renamed(pull.author)
      pull.headOwner = renamed(pull.headOwner)
      pull.commits = pull.commits.map(({ author, ...commit }) => ({
        ...commit,
        author: author === null ? null : renamed(author),
      }))
    }
  }
}
