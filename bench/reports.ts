import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { mostWrites } from '../src/service/report/write-pace.ts'
import { readRepositories, readRepository } from './pull-requests.ts'
import { pushesAnHour, simulatePushes, titlesOf } from './report-replay.ts'

/**
 * How many check runs the App would write on what was open in three projects on one day, by the product's own decisions and
 * without writing anything. Takes other files of such data as arguments.
 */
const { positionals } = parseArgs({ allowPositionals: true })
const repositories =
  positionals.length > 0
    ? positionals.map((file) => readRepository(pathToFileURL(file)))
    : readRepositories(new URL('../../bench/open-prs/', import.meta.url))

const hours = 24

function print(rows: readonly (readonly string[])[]): void {
  for (const [n, row] of rows.entries()) {
    console.log(`| ${row.join(' | ')} |`)
    if (n === 0) console.log(`|${' --- |'.repeat(row.length)}`)
  }
}

const kinds = ['Same change as', 'Same lines as', 'Close to', 'Only near', 'Conflicts with', 'No overlap']
console.log('\nWhat the check runs of all open pull requests say\n')
print([
  ['', 'open', ...kinds],
  ...repositories.map((repository) => {
    const titles = titlesOf(repository)
    const of = (kind: string) => String(titles.filter((title) => title.startsWith(kind)).length)
    return [repository.name, String(titles.length), ...kinds.map(of)]
  }),
])
console.log(`\nCheck runs in ${hours} hours of ${pushesAnHour} pushes\n`)
print([
  ['', 'created', 'rewritten', 'rewritten an hour', 'most requests in an hour', 'limit'],
  ...repositories.map((repository) => {
    const { perHour, created, rewritten } = simulatePushes(repository, hours)
    const most = String(Math.max(...perHour))
    return [
      repository.name,
      String(created),
      String(rewritten),
      (rewritten / hours).toFixed(1),
      most,
      String(mostWrites.hour),
    ]
  }),
])
