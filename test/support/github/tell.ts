import type { Hook } from './hook.ts'
import { installationOf } from './installed.ts'
import { type Repository, repositoryOf, type World } from './world.ts'

/** A repository of the world, or what a test knows of it. */
export interface Named {
  id: number | bigint
}

export function found(world: World, named: Named): Repository {
  return repositoryOf(world, Number(named.id))
}

/** About a repository, or with null about an installation itself. */
export type Tell = (repository: Repository | null, event: string, payload: object) => Promise<void>

/** Brings the App what GitHub would: where it is installed, what it subscribed to; and that of its installations always. */
export function createTell(world: World, hook: Hook): Tell {
  return async (repository, event, payload) => {
    if (world.app.hookUrl === null) return
    if (repository !== null && !hears(world, repository, event)) return
    await hook.deliver(event, payload)
  }
}

function hears(world: World, repository: Repository, event: string): boolean {
  const installation = installationOf(world, repository)
  return installation !== undefined && installation.suspendedAt === null && world.app.events.includes(event)
}
