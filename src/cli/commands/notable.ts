import { type Command, Option } from 'commander'
import { categories, levels } from '../../core/enums.ts'
import { isInForce } from '../../core/notable.ts'
import { withoutUndefined } from '../../core/without-undefined.ts'
import type { CommonOptions, Context } from '../context.ts'
import { readGivenPaths } from '../git/given-paths.ts'
import { plain } from '../print/plain.ts'
import { notableLines } from '../print/records.ts'
import { undefinedIf, usageError } from '../terminal.ts'
import { type AddCommand, collect, notePublic, type Printed, withCommonOptions, withContext } from './command.ts'
import { number } from './list.ts'

type Level = (typeof levels)[number]
type Category = (typeof categories)[number]

interface RaiseOptions extends CommonOptions {
  summary?: string
  importance: Level
  category: Category
  path?: string[]
  area?: string[]
  blocking?: boolean
  decision?: string
  until?: string
  supersedes?: string[]
}

/** What to know before one starts in a repository. */
export const addNotable: AddCommand = (program, terminal) => {
  const notable = program
    .command('notable')
    .summary('know this before you start: list, raise, done')
    .description('Notables are warnings that belong to no branch, such as a release freeze. They last about a week.')
  withCommonOptions(notable.command('list'))
    .description('List the active notables, the newest first.')
    .option('--limit <number>', 'at most so many, up to 500', number)
    .action((options) => withContext(terminal, options, (context) => list(context, options)))
  withRaiseOptions(withCommonOptions(notable.command('raise')))
    .description('Raise a notable. Without paths and areas it is about the whole repository.')
    .argument('<title>', 'the signal in one line')
    .addHelpText('after', help)
    .action((title, options) => withContext(terminal, options, (context) => raise(context, title, options)))
  withCommonOptions(notable.command('done'))
    .description('Archive a notable that is no longer true.')
    .argument('<id>', 'its id, as `headsup notable list` shows it')
    .action((id, options) => withContext(terminal, options, (context) => done(context, id)))
}

const help = `
Examples:
  headsup notable raise "Release freeze" --category release --importance critical --until 2026-12-01
  headsup notable raise "The session table moves" --category migration --path src/auth --decision https://…`

function withRaiseOptions(command: Command): Command {
  return command
    .option('--summary <text>', 'the caveat in a sentence or two; by default the title')
    .addOption(new Option('--importance <level>', 'how much it matters').choices(levels).default('medium'))
    .addOption(new Option('--category <category>', 'what it is about').choices(categories).default('warning'))
    .option('--path <path>', 'a file, directory or glob that it is about; may be repeated', collect)
    .option('--area <label>', 'an area that it is about; may be repeated', collect)
    .option('--blocking', 'a prominent warning; it locks nothing')
    .option('--decision <url>', 'the document behind it')
    .option('--until <date>', 'when it stops being true, such as 2026-12-01')
    .option('--supersedes <id>', 'a notable that it replaces; may be repeated', collect)
}

async function raise(context: Context, title: string, options: RaiseOptions): Promise<Printed> {
  const { terminal, tree, api } = context
  const { path = [], area = [], importance, category, blocking, decision: decision_url, until, supersedes } = options
  const given = tree ? await readGivenPaths(tree, terminal.cwd, path, []) : { globs: path, unknown: [] }
  for (const one of given.unknown) terminal.err(`Note: git does not know ${one} here: see whether it is spelled right.`)
  await notePublic(context)
  // A day alone ends with it.
  const applies_until = until?.replace(/^\d{4}-\d\d-\d\d$/, '$&T23:59:59Z')
  const raised = api.raise({
    ...{ title, summary: options.summary ?? title, importance, category },
    scope: { areas: area, paths: given.globs },
    ...withoutUndefined({ blocking, decision_url, supersedes, applies_until }),
  })
  const notable = await undefinedIf(({ fields }) => fields.includes('applies_until'), raised)
  if (!notable)
    throw usageError('--until must be a day, as 2026-12-01, or a time with its offset, as 2026-12-01T09:30:00+01:00.')
  if (!isInForce(notable, new Date(terminal.now())))
    terminal.err('Note: --until has passed, so this notable matches nothing.')
  return { json: notable, lines: ['Raised:', ...notableLines(notable)] }
}

async function list({ api }: Context, { limit }: { limit?: number }): Promise<Printed> {
  const page = await api.notables({ limit })
  const lines = page.items.flatMap(notableLines)
  if (lines.length === 0) lines.push('There is no such notable.')
  if (page.next_cursor !== null) lines.push('There are more: see --limit.')
  return { json: page, lines }
}

async function done({ api }: Context, id: string): Promise<Printed> {
  if (!id.startsWith('ntb_'))
    throw usageError(`"${plain(id)}" is no id of a notable: \`headsup notable list\` shows them.`)
  const archived = await api.archiveNotable(id)
  return { json: archived, lines: [`Archived: ${archived.id}`] }
}
