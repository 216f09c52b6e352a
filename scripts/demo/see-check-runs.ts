import { addedFile, changedFile } from './github-data.ts'
import type { StoryContext } from './story-context.ts'

/** A chapter: what GitHub shows on two pull requests that change the same lines. Returns the number of Ana’s. */
export async function seeCheckRuns({ cast, printer, chapter }: StoryContext): Promise<number> {
  await chapter('Ana opens her pull request, and GitHub shows what it collides with')
  printer.say(
    'Headsup writes a check run on each pull request that is opened or pushed to: advice, which never fails. This is Ana’s, as GitHub shows it.',
  )
  const files = [{ path: changedFile, lines: [[130, 133]] }]
  const pull = { head: 'feat/login', title: 'Rework the login', author: 'ana', association: 'MEMBER', files }
  const number = await cast.open(pull)
  await cast.seeCheckRun('ana', 'feat/login', { conclusion: 'neutral', title: 'Same lines as #1 (carla)' })
  printer.say('Carla’s was opened before Headsup was started. With her next push she learns of the collision, too.')
  const changed = [{ path: changedFile, lines: [[121, 164]] }, addedFile]
  await cast.onGithub('push', { branch: 'fix/login-limit', changed })
  await cast.seeCheckRun('carla', 'fix/login-limit', { conclusion: 'neutral', title: `Same lines as #${number} (ana)` })
  return number
}
