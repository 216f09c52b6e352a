import { type Repository, readRepository } from '../../bench/pull-requests.ts'
import { pushesAnHour, simulatePushes, titlesOf } from '../../bench/report-replay.ts'
import { mostWrites } from '../../src/service/report/write-pace.ts'
import type { StoryContext } from './story-context.ts'

const hours = 24
// Relative to the compiled file in dist/demo/scripts/demo.
const recorded = new URL('../../../../bench/open-prs/fastify.json.br', import.meta.url)

/** A chapter: what check runs would say in a real project, by Headsup's own decisions and without writing any. */
export async function replayInShadow({ printer, chapter }: StoryContext): Promise<void> {
  await chapter('What check runs would say in a real project')
  printer.say(
    'To see first what Headsup would say on your own pull requests, start it with HEADSUP_REPORT_SHADOW=true: it logs each title and writes nothing. This is what it decides on the pull requests that were open at fastify on one day, and on pushes to them in random order.',
  )
  printer.output(whatWouldBeSaid(readRepository(recorded)).join('\n'))
  printer.say('npm run bench:reports prints the same of two other projects.')
}

/** What the check runs of all open pull requests say, and how many are written for pushes in random order. */
export function whatWouldBeSaid(repository: Repository): string[] {
  const titles = titlesOf(repository)
  const count = (beginning: string) => titles.filter((title) => title.startsWith(beginning)).length
  const { created, rewritten, perHour } = simulatePushes(repository, hours)
  return [
    `${titles.length} open pull requests, of which`,
    `  ${count('Same lines as')} change the same lines as another one`,
    `  ${count('Close to')} are close to another one`,
    `  ${count('Conflicts with')} conflict with their base already`,
    `  ${count('No overlap')} have no overlap`,
    `${hours} hours with ${pushesAnHour} pushes each`,
    `  ${created.toLocaleString('en')} check runs created, one for each push`,
    `  ${rewritten} rewritten, ${Math.round(rewritten / hours)} an hour`,
    `  ${Math.max(...perHour)} requests that write in the busiest hour, of at most ${mostWrites.hour}`,
  ]
}
