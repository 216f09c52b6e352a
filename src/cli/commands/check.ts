import { type Json, recordList } from '../client/json.ts'
import { answersOf, checkParent, isOverlap } from '../client/work/check-parent.ts'
import { issueOptions, issuesOfFlags, issuesOfProposal, tellIssueOfBranch } from '../client/work/issues.ts'
import { readTasks } from '../client/work/read-tasks.ts'
import type { SavedScope, SavedWork } from '../client/work/work-state-file.ts'
import { areaOption, branchOptions, type Command, idsOption, mergeOption, sharedOptions } from '../command.ts'
import { basesOf, branchFields, type CommandContext, openCommandContext, savedWork } from '../command-context.ts'
import { type ExitCode, exitCodes, Failure, usageError } from '../failure.ts'
import { mergesAfter } from '../merge/later-merges.ts'
import { safeJson } from '../output/plain-text.ts'
import { printAtWork } from '../output/print-at-work.ts'
import { printAdvice, printOverlap, printWithMerges } from '../output/print-overlap.ts'
import { printSentence } from '../output/print-sentence.ts'
import { printTasks } from '../output/print-tasks.ts'
import { changesBelow, workFields } from './changes.ts'
import { missingNamed, namedGlobs } from './scope.ts'

export const command: Command = {
  usage: '[PATH…]',
  summary: 'Check whether your changes collide with work in flight.',
  notes:
    'With paths: these places, with the lines that are changed there. Without: the changed files of this branch, or where nothing is changed, who is at work. The merge with the work of others is tried, and leaves nothing behind. With an overlap the exit status is 0, or 1 with --exit-code where it does not merge, or was not tried.',
  examples: ['headsup check src/auth --area login', 'headsup check --tasks tasks.json'],
  options: {
    ...sharedOptions,
    ...branchOptions,
    ...areaOption,
    tag: { type: 'string', multiple: true, value: 'LABEL', help: 'Another label to match. May be repeated.' },
    ...issueOptions,
    ...idsOption,
    changed: { type: 'boolean', help: 'Add the changed files to the named paths.' },
    tasks: { type: 'string', value: 'FILE', help: 'Check 2 to 50 tasks, with one another too: JSON, or - for stdin.' },
    ...mergeOption,
    'exit-code': { type: 'boolean', help: 'Exit with 1 where there is an overlap.' },
  },
  async run(terminal, args) {
    const context = await openCommandContext(terminal, args)
    const file = args.text('tasks')
    if (file !== undefined) return checkTasks(context, file)
    const work = await savedWork(context)
    const issues = work?.id === undefined ? issuesOfProposal(context) : issuesOfFlags(args)
    const { body, isEmpty, unchanged } = await proposalFromFlags(context, work)
    const overlap = await requestCheck(context, body, work?.id)
    const parent = await checkParent(context, overlap, { scope: work?.declared, ...body }, work)
    const missing = await missingNamed(context, unchanged)
    const ids = args.flag('ids')
    const options = { parent, missing, ids }
    const merges = mergesAfter(context, overlap, { bases: await basesOf(context, work), parent })
    let isLeft = isOverlap(overlap, parent)
    tellIssueOfBranch(context, issues)
    if (args.flag('json')) {
      const { overlap: shown, isOverlap: isAfter } = await merges.result()
      isLeft = isAfter
      terminal.out(
        safeJson({
          ...shown,
          ...issues,
          ...(parent && { parent }),
          ...(missing.length > 0 && { missing_paths: missing }),
        }),
      )
    } else if (!isEmpty || namesPlaces(work)) {
      const sentence = { hasWork: true, isMissing: missing.length > 0, isByLines: merges.isTried }
      printSentence(terminal, answersOf(overlap, parent), sentence)
      const after = await printWithMerges(terminal, overlap, merges, options)
      isLeft = after.isOverlap
    } else {
      printSentence(terminal, answersOf(overlap, parent), { hasWork: work?.id !== undefined })
      terminal.err('Nothing is changed here yet. Name the paths that you will touch: headsup check src/auth')
      await printAtWork(context, overlap)
      if (isOverlap(overlap, parent)) printOverlap(terminal, overlap, { parent, ids })
      else printAdvice(terminal, overlap, { ids })
    }
    return isLeft && args.flag('exit-code') ? exitCodes.overlap : exitCodes.ok
  },
}

/** Checks the tasks of a file with live work and with one another (docs/rules.md#many-tasks). */
async function checkTasks({ terminal, args, api }: CommandContext, file: string): Promise<ExitCode> {
  if (args.positionals.length > 0) throw usageError('--tasks takes no paths: the file names those of each task.')
  const tasks = await readTasks(terminal, file)
  const answer = await api.call('POST', '/activity/check/batch', tasks.body)
  if (args.flag('json')) terminal.out(safeJson(answer))
  else printTasks(terminal, tasks, answer)
  const collides = (result: Json) => result.overlap_detected === true
  const isLeft = recordList(answer, 'pairs').length > 0 || recordList(answer, 'results').some(collides)
  return isLeft && args.flag('exit-code') ? exitCodes.overlap : exitCodes.ok
}

/** Whether the recorded work was started with paths or areas. */
function namesPlaces(work: SavedWork | undefined): boolean {
  return work?.id !== undefined && work.declared.paths.length + work.declared.areas.length > 0
}

/**
 * What a check is about: the named paths with what is changed there, else what is changed in the whole work tree; and the areas. The
 * service takes changed files for places, so a scope names them only where they can't all be sent.
 */
export async function proposalFromFlags(context: CommandContext, work: SavedWork | undefined) {
  const { args, branch } = context
  const { base } = await basesOf(context, work)
  const named: SavedScope = { areas: args.texts('area'), paths: namedGlobs(context) ?? [] }
  const tags = args.texts('tag')
  const all = args.flag('changed') === true || named.paths.length === 0
  const changes = await context.readChanges(base)
  const below = changes && named.paths.length > 0 ? await changesBelow(changes.files) : () => []
  const { scope, ...changed } = workFields(
    changes && (all ? changes : { ...changes, files: below(named.paths) }),
    named,
  )
  const unchanged = named.paths.filter((glob) => below([glob]).length === 0)
  const count = scope.paths.length + scope.areas.length + tags.length + (changed.changes?.files.length ?? 0)
  const isEmpty = count === 0
  const body = {
    ...branchFields(branch, base),
    // Without a scope, the service uses the recorded scope of the caller's own activity.
    ...(!(isEmpty && work?.id !== undefined) && { scope }),
    ...(tags.length > 0 && { tags }),
    ...changed,
  }
  return { body, isEmpty, unchanged }
}

/** Checks a proposal. Leaves out the caller's own activity, unless that does not exist any more. */
export async function requestCheck(
  context: Pick<CommandContext, 'api' | 'args' | 'branch'>,
  body: object,
  id: string | undefined,
) {
  const check = (own: object) => context.api.call('POST', '/activity/check', { ...body, ...own })
  if (id === undefined) return check({ ...issuesOfProposal(context) })
  try {
    // Without issues, the service uses the recorded ones.
    return await check({ activity_id: id, ...issuesOfFlags(context.args) })
  } catch (error) {
    if (error instanceof Failure && error.fields.includes('activity_id')) return check({ ...issuesOfProposal(context) })
    throw error
  }
}
