import type { Json } from '../client/json.ts'
import { checkParent, isOverlap, issuesToRecord, withoutParentsIssues } from '../client/work/check-parent.ts'
import { idOf, requireOwnActivity, scopeOfActivity } from '../client/work/find-activity.ts'
import { issueOptions, issuesOfFlags } from '../client/work/issues.ts'
import type { SavedScope, SavedWork } from '../client/work/work-state-file.ts'
import { branchOptions, type Command, idOption, idsOption, sharedOptions } from '../command.ts'
import { basesOf, branchFields, type CommandContext, openCommandContext, savedWork } from '../command-context.ts'
import { exitCodes, usageError } from '../failure.ts'
import { safeJson } from '../output/plain-text.ts'
import { printOverlap } from '../output/print-overlap.ts'
import { printActivity } from '../output/print-records.ts'
import { workFields } from './changes.ts'
import { requestCheck } from './check.ts'
import { changesOf, fieldsFromFlags, workOptions } from './fields.ts'
import { missingNamed, namedGlobs } from './scope.ts'

export const command: Command = {
  usage: '[PATH…]',
  summary: 'Change the recorded work of this branch.',
  notes: 'Paths replace the recorded paths, and areas the recorded areas. The new scope is checked.',
  examples: ['headsup update --status ready-for-review', 'headsup update src/auth src/session.ts'],
  options: {
    ...sharedOptions,
    ...branchOptions,
    ...workOptions('update'),
    ...issueOptions,
    changed: { type: 'boolean', help: 'Replace the recorded paths by the named ones, if any, and the changed files.' },
    ...idOption,
    ...idsOption,
    'exit-code': { type: 'boolean', help: 'Exit with 1 where the new scope overlaps.' },
  },
  async run(terminal, args) {
    const fields = fieldsFromFlags(args, 'update')
    const isScope = args.positionals.length > 0 || args.flag('changed') === true || args.texts('area').length > 0
    const isBase = args.text('base') !== undefined
    const issues = issuesOfFlags(args)
    if (!isScope && !isBase && !issues && Object.keys(fields).length === 0) {
      throw usageError(
        'Name a change: paths, --changed, or a flag such as --title. Use `headsup beat` for a heartbeat alone.',
      )
    }
    const context = await openCommandContext(terminal, args)
    const work = await savedWork(context)
    const { base, defaultBranch } = await basesOf(context, work)
    const before = await requireOwnActivity(context, work, defaultBranch)
    const isOwn = args.text('id') === undefined || idOf(before) === work?.id
    const changed = isOwn || args.flag('changed') ? await context.readChanges(base) : undefined
    const declared = declaredScope(context, before, work)
    const { scope, ...changes } = workFields(changed, declared)
    const branches = branchFields(context.branch, base)
    const body = {
      ...changesOf(fields, before),
      ...(isScope && { scope }),
      ...(isBase && branches),
      ...changes,
      ...(await issuesToRecord(context, issues)),
    }
    const changedActivity = await context.api.call('PATCH', `/activity/${idOf(before)}`, body)
    if (args.text('id') === undefined) {
      await context.workState?.change(context.branch, (now) => ({
        ...(now ?? { repository: context.repository, sessions: [], bySession: false }),
        id: idOf(changedActivity),
        ...(isBase && base && { base: base.name }),
        declared,
        ...issues,
      }))
    }
    // Without a scope the whole record is compared.
    const proposal = { ...branches, ...changes }
    const overlap = isScope || issues ? await requestCheck(context, proposal, idOf(before)) : undefined
    const parent = overlap && (await checkParent(context, overlap, { ...proposal, scope: declared }, work))
    const activity = overlap ? await withoutParentsIssues(context, changedActivity, overlap) : changedActivity
    if (args.flag('json')) terminal.out(safeJson({ activity, overlap: overlap ?? null, ...(parent && { parent }) }))
    else {
      printActivity(terminal, activity)
      const missing = await missingNamed(context, declared.paths)
      if (overlap) printOverlap(terminal, overlap, { parent, missing, ids: args.flag('ids') })
    }
    return overlap && isOverlap(overlap, parent) && args.flag('exit-code') ? exitCodes.overlap : exitCodes.ok
  },
}

/** The declared scope after the command. Areas or paths that are not named stay as they are. */
function declaredScope(context: CommandContext, before: Json, work: SavedWork | undefined): SavedScope {
  const { args } = context
  const recorded = scopeOfActivity(before)
  const known = work && work.id === idOf(before) ? work.declared : recorded
  const named = namedGlobs(context)
  const isReplaced = named !== undefined || args.flag('changed') === true
  const areas = args.texts('area')
  return { areas: areas.length > 0 ? areas : recorded.areas, paths: isReplaced ? (named ?? []) : known.paths }
}
