/** A GitHub account. Logins are reused, ids are not. */
export interface Account {
  id: bigint
  login: string
}
