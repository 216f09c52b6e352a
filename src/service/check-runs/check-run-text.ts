import { untilDay } from '../../core/notable.ts'
import type { Met } from '../../core/schemas/overlap.ts'
import { introduction, quoted } from '../../core/texts/quote.ts'
import { issueList, joined, rangeWords } from '../../core/texts/words.ts'
import type { Checked } from '../overlap/check.ts'

export interface Report {
  conclusion: 'success' | 'neutral'
  title: string
  summary: string
  /** Those of the table. When one of them, the title or the conclusion changes, it is written anew. */
  rows: string[]
}

const mostRows = 5
/** GitHub takes no more characters. */
const longest = { title: 255, summary: 60_000 }

/** A check of a pull request's own work, as a check run: advice, which never fails. `pageUrl` is null where the service has no address. */
export function reportOf({ overlap, decision }: Checked, pageUrl: string | null): Report {
  const { collisions, nearby, recommended_action } = overlap
  const rows = (collisions.length > 0 ? collisions : nearby).slice(0, mostRows).map(rowOf)
  const advice = recommended_action.split('\n').filter((line) => line !== introduction)
  const parts = [
    ...(rows.length === 0
      ? []
      : [['| work | by | severity | where |', '| --- | --- | --- | --- |', ...rows].join('\n')]),
    advice.map(withCode).join('\n'),
    "Advice: this check never fails. Don't make it required.",
    ...(pageUrl === null ? [] : [`[All work in flight](${pageUrl})`]),
  ]
  const isNeutral = [...collisions.filter(({ stranger }) => !stranger), ...overlap.notables].some(
    ({ severity }) => severity === 'medium' || severity === 'high',
  )
  return {
    conclusion: isNeutral ? 'neutral' : 'success',
    title: Array.from(titleOf(decision)).slice(0, longest.title).join(''),
    summary: parts.join('\n\n').slice(0, longest.summary),
    rows,
  }
}

type Decision = Checked['decision']

/** Of everything that was met, and not only of what the answer shows: it counts. */
function titleOf({ notables, collisions, nearby }: Decision): string {
  const [first, ...others] = notables.filter(({ severity }) => severity === 'high').map(({ notable }) => notable)
  const grave = first && `${quoted(first.title)} until ${untilDay(first)}${more(others.length)}`
  const [worst] = collisions
  if (worst) {
    const beginning = beginningOf(worst)
    const same = collisions.filter((one) => one !== worst && beginningOf(one) === beginning)
    const met = `${beginning} ${nameOf(worst.activity)}${more(same.length)}`
    return grave ? `${grave} · ${met}` : met
  }
  if (grave) return grave
  const [near] = nearby
  return near ? `Only near ${nameOf(near.activity)}${more(nearby.length - 1)}` : 'No overlap with work in flight'
}

/** The severity of the comparison: what the other work weighs does not bring its lines nearer. */
function beginningOf({ comparison: { by, severity, issues } }: Decision['collisions'][number]): string {
  if (by === 'lines') return severity === 'high' ? 'Same lines as' : 'Close to'
  if (by === 'issue') return `Same issue ${issueList(issues)} as`
  return { file: 'Same file as', globs: 'Same paths as', area: 'Same area as' }[by]
}

function nameOf({ number, actor }: Pick<Met, 'number' | 'actor'>): string {
  const name =
    actor
      .replace(/[^\p{L}\p{N}\s[\]_.-]/gu, '')
      .trim()
      .slice(0, 40) || 'somebody'
  return number === null ? `the work of ${name}` : `#${number} (${name})`
}

function more(count: number): string {
  return count > 0 ? ` and ${count} more` : ''
}

function rowOf(met: Met): string {
  const { number, branch, actor, stranger, severity } = met
  const work = [number === null ? '' : `#${number}`, branch === null || stranger ? '' : code(branch)].join(' ').trim()
  return `| ${work || 'no branch'} | ${code(actor)}${stranger ? ', from outside' : ''} | ${severity ?? 'near'} | ${placeOf(met)} |`
}

function placeOf(met: Met): string {
  const { by, example_path: path, lines, their_lines, paths_total, issues, areas, stranger, severity } = met
  if (by === 'issue') return issueList(issues)
  if (by === 'area') return joined(areas.map(code))
  const files = paths_total > 1 ? ` and ${paths_total - 1} more` : ''
  const [ours, theirs] = [lines, their_lines].map((ranges) => ranges && joined(ranges.map(rangeWords)))
  const where = ours && theirs ? `: lines ${theirs} there, ${ours} here` : ''
  // A file that only the stranger changes has a name that is theirs.
  const isTheirs = stranger && severity === null && paths_total === 0
  return path === null || isTheirs ? 'files of both' : `${code(path)}${where}${files}`
}

/** What stands in quotation marks is other people's. */
function withCode(line: string): string {
  return line.replace(/“([^”]*)”/gu, (_, text: string) => code(text))
}

/** Other people's text as code in Markdown: nothing in it is a link, a mention, HTML or the end of a cell. */
function code(text: string): string {
  const plain = quoted(text).slice(1, -1)
  const ticks = [...plain.matchAll(/`+/g)].map(([run]) => run.length)
  const fence = '`'.repeat(Math.max(0, ...ticks) + 1)
  const space = /^`|`$/.test(plain) ? ' ' : ''
  return `${fence}${space}${plain.replaceAll('|', '\\|')}${space}${fence}`
}
