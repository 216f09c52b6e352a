import type { Scope } from '../../core/schemas/scope.ts'
import type { Context } from '../context.ts'
import { branchFields } from '../context.ts'
import { changedPaths, type OwnChanges, type SentChanges } from '../git/changes.ts'
import { readGivenPaths } from '../git/given-paths.ts'
import { usageError } from '../terminal.ts'

/** Why "Go ahead" would not be known here, whatever the service answers. */
export interface Doubt {
  kind: 'unknown_paths' | 'changes_not_known' | 'fork' | 'target'
  text: string
}

/** What a check, a create and a PATCH say of the work. */
export interface Proposed {
  fields: {
    branch?: string
    base_branch?: string
    scope?: Scope
    issues?: number[]
    changes?: SentChanges
  }
  changes: OwnChanges | undefined
  doubts: Doubt[]
}

/** Reads what is named and what is changed. Prints what was found by itself. */
export async function propose(
  context: Context,
  paths: readonly string[],
  areas: readonly string[] = [],
): Promise<Proposed> {
  const { terminal, tree, issues } = context
  const changes = await context.changes()
  if (paths.length > 0 && tree === undefined && paths.some((path) => path.startsWith('.')))
    throw usageError('Outside of a clone of the repository, paths are from its top: leave the dots out.')
  const given = tree
    ? await readGivenPaths(tree, terminal.cwd, paths, changedPaths(changes))
    : { globs: [...paths], unknown: [...paths] }
  const scope = { areas: [...areas], paths: given.globs }
  tellFound(context)
  return {
    fields: {
      ...branchFields(context, await context.base()),
      ...(areas.length + given.globs.length > 0 && { scope }),
      ...(issues && { issues }),
      ...(changes?.sent && { changes: changes.sent }),
    },
    changes,
    doubts: [...pathDoubts(given.unknown), ...(await changeDoubts(context, changes)), ...(await forkDoubts(context))],
  }
}

function tellFound({ terminal, tree, branch, issues, options }: Context): void {
  if (tree?.operation) {
    const where = branch === null ? 'a detached head' : branch
    terminal.err(`Note: in the middle of a ${tree.operation}, this counts as work on ${where}.`)
  }
  if (options.issue === undefined && issues !== undefined)
    terminal.err(`Note: the branch names issue #${issues.join()}; --no-issue leaves it out.`)
}

function pathDoubts(unknown: readonly string[]): Doubt[] {
  if (unknown.length === 0) return []
  const they = unknown.length === 1 ? 'it is' : 'they are'
  const text = `git does not know ${unknown.join(', ')} here: see whether ${they} spelled right.`
  return [{ kind: 'unknown_paths', text }]
}

async function changeDoubts(context: Context, changes: OwnChanges | undefined): Promise<Doubt[]> {
  const { tree, repository } = context
  if (changes === undefined || tree === undefined) return []
  const kind = 'changes_not_known'
  const deepen = '`git fetch --deepen=100` gets more of its history'
  if (changes.sent === null) {
    const why = tree.isShallow ? `This clone is too shallow: ${deepen}.` : 'The branch shares no commit with its base.'
    return [{ kind, text: `${why} What the branch changes is not known, and was not compared.` }]
  }
  if (changes.isPartial) {
    const { remote = 'origin' } = repository
    const base = (await context.base()).named ?? (await context.repositoryFacts()).defaultBranch
    const get = `git fetch ${remote} +refs/heads/${base}:refs/remotes/${remote}/${base}`
    const text = `This clone does not have ${remote}/${base}, so only what no branch of the remote has was compared: \`${get}\`.`
    return [{ kind, text }]
  }
  if (!tree.isShallow) return []
  return [{ kind, text: `This clone is shallow, so it may not show all that the branch changes: ${deepen}.` }]
}

/** The parent of a fork that nobody chose may be where the work goes. */
async function forkDoubts({ repository, repositoryFacts }: Context): Promise<Doubt[]> {
  const { owner, name, isChosen } = repository
  const parent = isChosen ? null : (await repositoryFacts()).parent
  if (parent === null) return []
  const text = `${owner}/${name} is a fork of ${parent}, which was not asked: headsup check --repo ${parent}`
  return [{ kind: 'fork', text }]
}
