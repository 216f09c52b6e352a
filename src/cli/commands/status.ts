import { answersOf, checkParent, isOverlap } from '../client/work/check-parent.ts'
import { findOwnActivity, findSeenWork, idOf, namesPlaces, seenBranch } from '../client/work/find-activity.ts'
import { issuesOfProposal, tellIssueOfBranch } from '../client/work/issues.ts'
import type { SavedWork } from '../client/work/work-state-file.ts'
import { branchOptions, type Command, idsOption, sharedOptions } from '../command.ts'
import { basesOf, type CommandContext, openCommandContext, savedWork } from '../command-context.ts'
import { exitCodes, usageError } from '../failure.ts'
import { plain, safeJson } from '../output/plain-text.ts'
import { printAtWork } from '../output/print-at-work.ts'
import { printAdvice, printOverlap } from '../output/print-overlap.ts'
import { printActivity } from '../output/print-records.ts'
import { printSentence } from '../output/print-sentence.ts'
import { proposalFromFlags, requestCheck } from './check.ts'

export const command: Command = {
  usage: '',
  summary: 'Say what is recorded of your work on this branch, and who collides with it.',
  notes: 'Changes nothing. With an overlap the exit status is 0, or 1 with --exit-code.',
  examples: ['headsup status'],
  options: {
    ...sharedOptions,
    ...branchOptions,
    ...idsOption,
    actor: { type: 'string', value: 'NAME', help: "The human behind the work. Default: git's user.name." },
    'exit-code': { type: 'boolean', help: 'Exit with 1 where there is an overlap.' },
  },
  async run(terminal, args) {
    if (args.positionals.length > 0) throw usageError('status takes no paths: use `headsup check PATH`.')
    const context = await openCommandContext(terminal, args)
    const saved = await savedWork(context)
    const [{ activity, ended }, { seenAs: seen }] = await Promise.all([findOwn(context, saved), findSeenWork(context)])
    const pull = seen === seenBranch ? undefined : seen
    const id = activity && idOf(activity)
    const work = id === saved?.id ? saved : undefined
    const { body, isEmpty } = await proposalFromFlags(context, work)
    const isNothing = activity ? !namesPlaces(activity) : isEmpty
    // The record says what is planned too: a hook may have recorded lines that are not saved yet.
    const overlap = await requestCheck(context, activity ? {} : body, id)
    const parent = await checkParent(context, overlap, { scope: work?.declared, ...body }, work)
    if (id === undefined) tellIssueOfBranch(context, issuesOfProposal(context))
    if (args.flag('json')) {
      terminal.out(
        safeJson({ activity: activity ?? null, pull_request: pull ?? null, overlap, ...(parent && { parent }) }),
      )
    } else {
      const hasWork = activity !== undefined || !isEmpty
      printSentence(terminal, answersOf(overlap, parent), { hasWork })
      if (ended !== undefined) terminal.out(`Before: ${plain(ended)}`)
      if (activity) printActivity(terminal, activity)
      else terminal.out(`No work is recorded ${describeBranch(context)}: \`headsup start\` records it.`)
      if (pull !== undefined) terminal.out(`The open pull request of this branch is seen as ${pull}.`)
      else if (seen !== undefined) terminal.out('This branch is seen as it was pushed.')
      if (isNothing) await printAtWork(context, overlap)
      const ids = args.flag('ids')
      if (!isNothing || isOverlap(overlap, parent)) printOverlap(terminal, overlap, { parent, ids })
      else printAdvice(terminal, overlap, { ids })
    }
    return isOverlap(overlap, parent) && args.flag('exit-code') ? exitCodes.overlap : exitCodes.ok
  },
}

/** The recorded work of this branch: on the default branch, which many share, the caller's own. */
async function findOwn(context: CommandContext, saved: SavedWork | undefined) {
  const { defaultBranch } = await basesOf(context, saved)
  return findOwnActivity(context, saved, defaultBranch)
}

function describeBranch({ branch }: CommandContext): string {
  return branch === null ? 'here' : `on ${plain(branch)}`
}
