import { isSameLogin } from '../../core/names.ts'
import type { PullFacts } from '../github/pulls/pull-facts.ts'
import type { SettingValues } from '../records/settings.ts'

/** Branches that merge queues make of pull requests that are observed already. */
const queues = /^(gh-readonly-queue|mergify|trunk-merge|trunk-temp|graphite-base)\/|^gtmq_/

export function mayObserve(
  { head_branch, author_login }: Pick<PullFacts, 'head_branch' | 'author_login'>,
  { enabled, ignored_authors }: Pick<SettingValues, 'enabled' | 'ignored_authors'>,
): boolean {
  return enabled && !queues.test(head_branch) && !ignored_authors.some((login) => isSameLogin(login, author_login))
}
