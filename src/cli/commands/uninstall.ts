import { existsSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { installable } from '../agents/install/hook-files.ts'
import { uninstallAgentHooks } from '../agents/install/install-agent-hooks.ts'
import { bundledVersion } from '../bundled-facts.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../failure.ts'
import { type Git, gitIn } from '../git/git.ts'
import { type LocatedWorkTree, locateWorkTree } from '../git/locate-work-tree.ts'
import { stateDirectoryOf } from '../git/work-tree.ts'
import { printLines } from '../hooks/hook-install.ts'
import { uninstallGitHooks } from '../hooks/install-git-hooks.ts'
import { describeUninstalled } from '../hooks/uninstalled.ts'
import { keptFolder, removeEmpty } from '../merge/kept/kept-files.ts'
import { mergeLogFile } from '../merge/merge-log.ts'
import type { Terminal } from '../terminal.ts'

export const command: Command = {
  usage: '',
  summary: 'Remove the hooks in this work tree, what is kept for you on this machine, and this program.',
  notes:
    'Run it with --keep-program in each clone but the last. Records stay at the service: end your work with `headsup done` before. Hooks that are left in other clones do nothing without the program.',
  examples: ['headsup uninstall --keep-program', 'headsup uninstall'],
  options: { 'keep-program': { type: 'boolean', help: 'Keep the program: other clones need it.' } },
  async run(terminal, args) {
    const located = locateWorkTree(terminal)
    const lines =
      'refusal' in located ? [`${located.refusal}, to remove its hooks.`] : await cleanClone(located, terminal)
    const { isChanged, file } = uninstallAgentHooks('claude', terminal, 'user')
    if (isChanged) lines.push(describeUninstalled({ isChanged, file }))
    lines.push(...(await removeSettings(gitIn(undefined, terminal), '--global')))
    const folder = keptFolder(terminal.env)
    const kept = [folder, mergeLogFile(terminal.env)]
    lines.push(...kept.flatMap((path) => (path === undefined ? [] : removeDirectory(path))))
    if (folder !== undefined) removeEmpty(dirname(folder))
    if (!args.flag('keep-program')) lines.push(removeProgram(terminal))
    printLines(terminal, lines)
    return exitCodes.ok
  },
}

/** Removes hooks, settings and saved state of one work tree. Returns what was done, a line each. */
async function cleanClone(located: LocatedWorkTree, terminal: Terminal): Promise<string[]> {
  const git = gitIn(located, terminal)
  const { files, notes } = await uninstallGitHooks(terminal)
  const settings = [
    ...installable.map((name) => uninstallAgentHooks(name, terminal, 'project')),
    uninstallAgentHooks('claude', terminal, 'local'),
  ].filter(({ isChanged }) => isChanged)
  const committed = await git('ls-files', '-z', '--', ...settings.map(({ file }) => file))
  return [
    ...[...files.filter(({ isChanged }) => isChanged), ...settings].map(describeUninstalled),
    ...notes,
    // Without a path git lists all files.
    ...(settings.length > 0 ? committed.stdout.split('\0').filter(Boolean) : []).map(
      (path) => `${path} is committed: commit the change for everybody, or take it back with \`git restore\`.`,
    ),
    ...(await removeSettings(git, '--local')),
    ...removeDirectory(stateDirectoryOf(located)),
  ]
}

/** Removes the git settings `headsup.*` from one file. */
async function removeSettings(git: Git, file: '--local' | '--global'): Promise<string[]> {
  const { code } = await git('config', file, '--remove-section', 'headsup')
  return code === 0 ? [`The settings headsup.* of git config ${file}: removed.`] : []
}

function removeDirectory(path: string): string[] {
  if (!existsSync(path)) return []
  rmSync(path, { recursive: true, force: true })
  return [`${path}: removed.`]
}

function removeProgram({ program: [, file = ''] }: Terminal): string {
  if (bundledVersion === undefined) return `${file} belongs to a package or a clone: remove that one.`
  rmSync(file)
  return `${file}: removed.`
}
