import { createBranchVerbs } from './branch-verbs.ts'
import type { Hook } from './hook.ts'
import { createInstallationVerbs } from './installation-verbs.ts'
import type { Scene } from './payloads.ts'
import { createRepositoryVerbs } from './repository-verbs.ts'
import { createTell } from './tell.ts'

export type Verbs = ReturnType<typeof createVerbs>

/** Everything that people do on GitHub here. */
export function createVerbs(scene: Scene, hook: Hook) {
  const tell = createTell(scene.world, hook)
  return {
    ...createBranchVerbs(scene, tell),
    ...createRepositoryVerbs(scene, tell),
    ...createInstallationVerbs(scene, tell),
  }
}
