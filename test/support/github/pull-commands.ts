import { z } from 'zod'
import { addAccount } from './build-data.ts'
import { FileInput } from './changed-files.ts'
import { type Command, command, named, onRepository, repository } from './command.ts'

const onBranch = onRepository.extend({ branch: z.string() })
const onPull = onRepository.extend({ number: z.int() })
const texts = z.record(z.string(), z.string().nullable())
const files = z.array(FileInput)
const time = z.iso.datetime().transform((text) => new Date(text))
const commits = z.array(
  z.strictObject({
    sha: z.string().exactOptional(),
    message: z.string().exactOptional(),
    committedAt: time.exactOptional(),
  }),
)

const Push = onBranch.extend({
  files: texts.default({}),
  changed: files.exactOptional(),
  commits: commits.exactOptional(),
  forced: z.boolean().exactOptional(),
  author: z.string().exactOptional(),
})

/** `from` is the fork of the head branch. `bot` says that the author is one; a login that ends in `[bot]` always is. */
const Opening = onRepository.extend({
  head: z.string(),
  base: z.string().exactOptional(),
  title: z.string().exactOptional(),
  body: z.string().exactOptional(),
  draft: z.boolean().exactOptional(),
  author: z.string().exactOptional(),
  bot: z.boolean().default(false),
  association: z
    .enum(['COLLABORATOR', 'CONTRIBUTOR', 'FIRST_TIME_CONTRIBUTOR', 'MEMBER', 'NONE', 'OWNER'])
    .exactOptional(),
  from: repository.exactOptional(),
  files: files.exactOptional(),
  commits: commits.exactOptional(),
  number: z.int().exactOptional(),
  createdAt: time.exactOptional(),
  updatedAt: time.exactOptional(),
})

const Edit = onPull.extend({
  title: z.string().exactOptional(),
  body: z.string().exactOptional(),
  base: z.string().exactOptional(),
})

/** The control commands about branches and pull requests. */
export const pullCommands: Record<string, Command> = {
  push: command(Push, (github, { repository, branch, files: pushed, ...options }) =>
    github.push(named(github, repository), branch, pushed, options),
  ),
  'delete-branch': command(onBranch, (github, input) =>
    github.deleteBranch(named(github, input.repository), input.branch),
  ),
  'fork-repository': command(onRepository.extend({ login: z.string() }), (github, input) => {
    const { id, owner, name } = github.forkRepository(named(github, input.repository), input.login)
    return { id, repository: `${owner}/${name}` }
  }),
  'delete-fork': command(onRepository, (github, input) => github.deleteFork(named(github, input.repository))),
  'open-pull-request': command(Opening, async (github, { repository, from, bot, ...input }) => {
    if (bot && input.author !== undefined) addAccount(github.data, input.author, { type: 'Bot' })
    const { number } = await github.openPullRequest(named(github, repository), {
      ...input,
      ...(from === undefined ? {} : { from: named(github, from) }),
    })
    return { number }
  }),
  'edit-pull-request': command(Edit, async (github, { repository, number, ...edit }) => {
    await github.editPullRequest(named(github, repository), number, edit)
  }),
  'mark-ready': command(onPull, async (github, input) => {
    await github.markReady(named(github, input.repository), input.number)
  }),
  'convert-to-draft': command(onPull, async (github, input) => {
    await github.convertToDraft(named(github, input.repository), input.number)
  }),
  'merge-pull-request': command(onPull.extend({ deleteBranch: z.boolean().default(false) }), async (github, input) => {
    await github.mergePullRequest(named(github, input.repository), input.number, { deleteBranch: input.deleteBranch })
  }),
  'close-pull-request': command(onPull, async (github, input) => {
    await github.closePullRequest(named(github, input.repository), input.number)
  }),
  'reopen-pull-request': command(onPull, async (github, input) => {
    await github.reopenPullRequest(named(github, input.repository), input.number)
  }),
}
