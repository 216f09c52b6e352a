import type { Account } from '../../src/core/schemas/account.ts'
import type { Viewer } from '../../src/service/context.ts'

/** What the next callers are and see. A test changes it. */
export interface TestViewer {
  account: Account | null
  mayRead: boolean
  viewerOf(): Viewer
  /** Does something as another viewer. */
  as<T>(other: Partial<Pick<TestViewer, 'account' | 'mayRead'>>, work: () => Promise<T>): Promise<T>
}

export const alice: Account = { id: 7n, login: 'alice' }
export const bob: Account = { id: 8n, login: 'bob' }

export function testViewer(): TestViewer {
  const viewer: TestViewer = {
    account: alice,
    mayRead: true,
    viewerOf: () => {
      const { account, mayRead } = viewer
      return {
        account: () => account,
        mayReadPullRequests: async () => mayRead,
        observationState: async () => ({ pull_requests: mayRead ? 'current' : 'unavailable', as_of: null, unread: 0 }),
      }
    },
    async as(other, work) {
      const { account, mayRead } = viewer
      Object.assign(viewer, other)
      return await work().finally(() => Object.assign(viewer, { account, mayRead }))
    },
  }
  return viewer
}
