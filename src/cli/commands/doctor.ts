import { pullNumberOf } from '../../core/names.ts'
import type { SettingsAnswer } from '../../core/schemas/settings.ts'
import { safeJson } from '../../core/texts/quote.ts'
import { agentWords } from '../agents/agents.ts'
import { allowNotes, hasHooks, pathOf } from '../agents/install.ts'
import { hookPaths } from '../agents/settings-files.ts'
import { type CommonOptions, type Context, openContext } from '../context.ts'
import { readGitVersion } from '../git/git.ts'
import { readSurroundings, type WorkTree } from '../git/work-tree.ts'
import { tryMerges } from '../own-work/try-merges.ts'
import { plain } from '../print/plain.ts'
import { askService } from '../service.ts'
import { exitCodes, Failure, type Terminal, undefinedIf } from '../terminal.ts'
import { version } from '../version.ts'
import { type AddCommand, withCommonOptions } from './command.ts'

/** One thing that works, or not and then with what to do. */
interface Finding {
  works: boolean
  text: string
}

export const addDoctor: AddCommand = (program, terminal) => {
  withCommonOptions(program.command('doctor'))
    .summary('say what works, and what to do where something does not')
    .description('Looks at git, the clone, the service, your token and the pull requests, and tries a merge once.')
    .action(async (options: CommonOptions) => {
      const findings = await examine(terminal, options)
      terminal.exitCode = findings.every(({ works }) => works) ? exitCodes.ok : exitCodes.failure
      if (options.json) terminal.out(safeJson({ findings }, 2))
      else for (const { works, text } of findings) terminal.out(`${works ? 'ok' : '!!'}  ${plain(text)}`)
    })
}

const well = (text: string): Finding => ({ works: true, text })
const ill = (text: string): Finding => ({ works: false, text })

async function examine(terminal: Terminal, options: CommonOptions): Promise<Finding[]> {
  const findings = [well(`headsup ${version} on Node ${process.versions.node}.`)]
  /** Each part says what it finds; what it throws is a finding too. Several may fail for one cause, which is said once. */
  const add = async (part: Promise<Finding[]>) => {
    const found = await part.catch((error: unknown) => {
      if (error instanceof Failure) return [ill(error.message)]
      throw error
    })
    findings.push(...found.filter(({ text }) => findings.every((one) => one.text !== text)))
  }
  await add(readSurroundings(terminal).then(async ({ tree }) => [...(await ofClone(tree)), ...ofHooks(tree)]))
  const opened = openContext(terminal, options)
  await add(opened.then(ofService))
  const context = await undefinedIf(() => true, opened)
  if (context === undefined) return findings
  await add(ofRights(context))
  await add(context.api.settings().then(ofSettings))
  await add(ofChanges(context))
  await add(ofMerges(context))
  return findings
}

/** The hooks of coding agents, and what each of these wants before it runs them. */
function ofHooks(tree: WorkTree | undefined): Finding[] {
  if (tree === undefined) return []
  const installed = agentWords.filter((agent) => hasHooks(tree.top, agent))
  if (installed.length === 0) return [well('No hooks of coding agents are installed: `headsup hook install` does it.')]
  return installed.map((agent) => well(`Hooks in ${pathOf(agent)}. ${allowNotes[agent]}`))
}

async function ofClone(tree: WorkTree | undefined): Promise<Finding[]> {
  if (tree === undefined) return []
  const { branch, head, operation } = tree
  const { version: gitVersion, canMerge } = await readGitVersion(tree.git)
  const where = branch ?? (head === null ? 'no commit yet' : 'a detached head')
  return [
    canMerge ? well(`git ${gitVersion}.`) : ill(`git ${gitVersion}: merges are tried with git 2.39 or newer alone.`),
    well(`The work tree ${tree.top}, on ${where}${operation === null ? '' : `, in the middle of a ${operation}`}.`),
  ]
}

async function ofService({ service, terminal, repository, token, state }: Context): Promise<Finding[]> {
  const { version: theirs, github_server_url } = await askService(service, terminal.signal)
  const kept = state.directory !== undefined
  const { awayUntil } = state.read().hooks
  return [
    well(`The repository ${repository.owner}/${repository.name} on ${new URL(github_server_url).host}.`),
    well(`The service ${service.href}, version ${theirs}.`),
    well(`A token from ${token.from}.`),
    ...(kept ? [] : [ill('Neither .git nor your cache directory can be written: a record is forgotten at once.')]),
    ...(awayUntil > terminal.now() ? [ill('Hooks are silent for a minute, since the service was away.')] : []),
  ]
}

/** A create without fields is refused for its fields only where the token may write. It records nothing. */
async function ofRights({ api }: Context): Promise<Finding[]> {
  try {
    await api.create({ title: '', summary: '', actor: '' }, 'doctor')
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'validation_failed') throw error
  }
  return [well('The token may read and write.')]
}

const appWords: Readonly<Record<SettingsAnswer['app']['state'], Finding>> = {
  installed: well('The GitHub App reads the pull requests.'),
  absent: well('The service has no GitHub App: open pull requests are read by the tokens of those who ask.'),
  not_installed: well(
    'The GitHub App is not installed here: open pull requests are read by the tokens of those who ask.',
  ),
  suspended: ill('The GitHub App is suspended here: an owner can allow it again at GitHub.'),
}

function ofSettings({ app, settings, problems, file, report }: SettingsAnswer): Finding[] {
  return [
    settings.enabled ? appWords[app.state] : well('This repository has pull requests left out (`enabled: false`).'),
    ...(file === null ? [] : [well(`Settings from ${file.path} in ${file.repository}.`)]),
    ...problems.map(({ field, message }) => ill(`The settings file: ${field}: ${message}.`)),
    ...(report.state === 'permission_missing'
      ? [ill(`The App may not write check runs: an owner allows it at ${report.approve_url ?? 'GitHub'}.`)]
      : []),
  ]
}

async function ofChanges(context: Context): Promise<Finding[]> {
  const { tree } = context
  const changes = await context.changes()
  if (tree === undefined || changes === undefined) return []
  const { defaultBranch } = await context.repositoryFacts()
  const { named, ref } = await context.base()
  if (changes.sent === null)
    return [ill('What the branch changes is not known: get more of its history by `git fetch --deepen=100`.')]
  const hookFiles = changes.sent.files.filter(({ path }) => hookPaths.has(path)).length
  const count = `Changed files: ${changes.sent.files_total - hookFiles}`
  if (ref !== null) return [well(`${count} since ${ref.replace('refs/remotes/', '')}.`)]
  return [
    ill(`This clone does not have ${named ?? defaultBranch}: only commits that no remote branch has count. ${count}.`),
  ]
}

/** Tries the merge with the newest open pull request, to see whether it can be done here. */
async function ofMerges(context: Context): Promise<Finding[]> {
  const [pull] = (await context.api.activities({ source: 'pull_request', limit: 1 })).items
  if (!pull) return [well('There is no pull request to try a merge with.')]
  const changes = await context.changes()
  if (!changes?.sent) return [well('No merge was tried, since what is changed here is not known.')]
  const who = { ...pull, activity_id: pull.id, number: pullNumberOf(pull.pr_url) }
  const work = { ...who, head_sha: pull.changes?.head_sha ?? null, paths: [], paths_total: 0, example_path: null }
  const met = { collisions: [work], nearby: [] }
  const { merges, lines } = await tryMerges(context, met, { changes, fields: {} }, { merge: true })
  const text = lines[0] ?? 'No merge was tried: the head of the newest pull request is not known.'
  return [{ works: merges[0]?.conflicts != null, text }]
}
