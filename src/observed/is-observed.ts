import { matchesAny } from '../changes/ignored.ts'
import { readGlobs } from '../scope/parse-scope.ts'
import type { Settings } from '../settings/schema.ts'

/** Whether the settings let open pull requests be observed in a repository (docs/rules.md#observed-work). */
export function observesPullRequests({ enabled, observe }: Pick<Settings, 'enabled' | 'observe'>): boolean {
  return enabled && observe.includes('pull_requests')
}

/** Whether the settings let a pull request with this head branch be observed. Those of merge queues are not. */
export function isObservedPullRequest(
  { headRef }: { headRef: string },
  settings: Pick<Settings, 'enabled' | 'observe' | 'ignored_branches'>,
): boolean {
  return observesPullRequests(settings) && !matchesAny(headRef, readGlobs(settings.ignored_branches))
}
