import type { CheckRun, CheckSuite } from './check-data.ts'
import type { Repository } from './data.ts'
import { aboutRepository, type EventContext } from './payloads.ts'
import { findById, type RepositoryRef, type SendEvent } from './send-event.ts'
import { checkRunShape, checkSuiteShape, simpleSuiteShape } from './shapes/check.ts'

export function checkRunEvent(scene: EventContext, repository: Repository, run: CheckRun, suite: CheckSuite) {
  const { data, links } = scene
  const check_suite = simpleSuiteShape(data, repository, suite, links)
  const check_run = { ...checkRunShape(data, repository, run, links), check_suite }
  return { action: 'rerequested', check_run, ...aboutRepository(scene, repository) }
}

export function checkSuiteEvent(scene: EventContext, repository: Repository, suite: CheckSuite) {
  // In an event the suite is without its repository.
  const { repository: _, ...check_suite } = checkSuiteShape(scene.data, repository, suite, scene.links)
  return { action: 'rerequested', check_suite, ...aboutRepository(scene, repository) }
}

/** Actions on check runs. Each changes the data and sends the event. */
export function createCheckActions(scene: EventContext, sendEvent: SendEvent) {
  return {
    /** A person requests a check run again: its suite is queued until the App writes a new one. */
    async rerequestCheckRun(named: RepositoryRef, runId: number): Promise<void> {
      const repository = findById(scene.data, named)
      const run = repository.checkRuns.find(({ id }) => id === runId)
      const suite = repository.checkSuites.find(({ id }) => id === run?.suiteId)
      if (!run || !suite) throw new Error(`the stand-in has no check run ${runId} in ${repository.name}`)
      suite.isRerequested = true
      await sendEvent(repository, 'check_run', checkRunEvent(scene, repository, run, suite))
    },
    /** A person requests all checks of a commit again. */
    async rerequestCheckSuite(named: RepositoryRef, headSha: string): Promise<void> {
      const repository = findById(scene.data, named)
      const suite = repository.checkSuites.find((one) => one.headSha === headSha)
      if (!suite) throw new Error(`the stand-in has no check suite of ${headSha} in ${repository.name}`)
      suite.isRerequested = true
      await sendEvent(repository, 'check_suite', checkSuiteEvent(scene, repository, suite))
    },
  }
}
