import { matchesAny } from '../../core/changes/ignored.ts'
import { readGlobs } from '../../core/scope/parse-scope.ts'
import type { Settings } from '../records/settings/schema.ts'

/** Whether the settings let open pull requests be observed in a repository (docs/rules.md#observed-work). */
export function observesPullRequests({ enabled, observe }: Pick<Settings, 'enabled' | 'observe'>): boolean {
  return enabled && observe.includes('pull_requests')
}

/**
 * Whether the settings let a pull request with this head branch be observed. By default those of merge queues are not.
 */
export function isObservedPullRequest(
  { headRef }: { headRef: string },
  settings: Pick<Settings, 'enabled' | 'observe' | 'ignored_branches'>,
): boolean {
  return observesPullRequests(settings) && !matchesAny(headRef, readGlobs(settings.ignored_branches))
}

/** Whether the settings let pushed branches be observed too. Open pull requests exclude some of them. */
export function observesBranches(settings: Pick<Settings, 'enabled' | 'observe'>): boolean {
  return observesPullRequests(settings) && settings.observe.includes('branches')
}

/** Whether the settings let this branch be observed. The default branch never is. */
export function isObservedBranch(
  { branch, defaultBranch }: { branch: string; defaultBranch: string | null },
  settings: Pick<Settings, 'enabled' | 'observe' | 'ignored_branches'>,
): boolean {
  return (
    observesBranches(settings) && branch !== defaultBranch && !matchesAny(branch, readGlobs(settings.ignored_branches))
  )
}
