import type { ObservationState } from '../../../src/core/schemas/observation.ts'
import { builtInSettings, type Settings } from '../../../src/service/records/settings/schema.ts'
import { hour } from '../../support/clock.ts'
import {
  startTestService,
  type TestRepository,
  type TestService,
  type TestServiceOptions,
} from '../../support/service.ts'

interface ListedActivity {
  id: string
  pr_url: string
  source: string
  changes: unknown
}

interface Asking {
  token?: string
  namesFiles?: boolean
  waitMs?: number
  settings?: Partial<Settings>
  from?: TestService
  /** `owner/name` of the parent that the token sees. */
  parent?: string
}

export interface ObservedScene {
  repository: TestRepository
  /** Opens pull requests of carol, one after the other. */
  openPulls(count: number, into?: TestRepository): Promise<void>
  /** The list of activities, which has to be 200. */
  listed(call?: Parameters<TestRepository['get']>[1], from?: TestRepository): Promise<ListedActivity[]>
  /** The state that a check of this caller would answer. */
  stateOf(asking?: Asking): Promise<ObservationState>
  /** Asks for the state, and waits until the reading that this wakes has ended. */
  stateAndReading(asking?: Asking): Promise<ObservationState>
  /** The requests to GitHub for lists, for files, and about the right to read pull requests. */
  lists(): string[]
  fileReads(): string[]
  rights(): string[]
  requestsTo(part: RegExp): string[]
}

export const changedFiles = [{ path: 'src/auth.ts', lines: [[10, 12]] as const }]

/** Long enough for a slow machine: what is waited for does arrive. */
const times = { waitMs: 60_000, tokenMs: 60_000 }

/** Starts a service whose callers' tokens read. `sharedWith` makes it another instance. */
export const startCallersService = (
  callers: TestServiceOptions['callers'] = {},
  sharedWith?: TestService,
): Promise<TestService> =>
  startTestService({
    callers: { times, ...callers },
    permissionCacheMs: 3_600_000,
    ...(sharedWith ? { sharedWith } : {}),
  })

/** A new repository, at a time when every account has all of its calls. */
export async function newScene(service: TestService): Promise<ObservedScene> {
  const { github, clock } = service
  await service.callers?.idle()
  github.heal()
  clock.advance(2 * hour)
  const repository = service.newRepository()
  const requestsTo: ObservedScene['requestsTo'] = (part) =>
    github.requests.filter((target) => target.startsWith(`${repository.path}/`) && part.test(target))

  const stateOf: ObservedScene['stateOf'] = async ({
    from = service,
    settings,
    parent,
    namesFiles,
    ...caller
  } = {}) => {
    const { id, owner, name } = repository
    const who = { token: repository.writer, waitForGithub: <T>(ask: () => Promise<T>) => ask(), ...caller }
    const target = { id, owner, name, defaultBranch: 'main', ...(parent === undefined ? {} : { parent }) }
    const viewer = from.callers?.viewerOf(target, who, { ...builtInSettings, ...settings })
    if (!viewer) throw new Error('this service has no viewers')
    return await viewer.observationState(namesFiles === undefined ? {} : { namesFiles })
  }

  return {
    repository,
    async openPulls(count, into = repository) {
      for (let n = 1; n <= count; n++)
        await github.openPullRequest(into, { head: `feature-${n}`, author: 'carol', files: changedFiles })
    },
    async listed(call = {}, from = repository) {
      const { status, body } = await from.get('/activity?limit=100', call)
      if (status !== 200) throw new Error(`the list answered ${status}`)
      return (body as { items: ListedActivity[] }).items
    },
    stateOf,
    async stateAndReading(asking) {
      const state = await stateOf(asking)
      await (asking?.from ?? service).callers?.idle()
      return state
    },
    lists: () => requestsTo(/\/pulls\?.*state=/),
    fileReads: () => requestsTo(/\/files\?/),
    rights: () => requestsTo(/\/pulls\?per_page=1$/),
    requestsTo,
  }
}
