import { spawn } from 'node:child_process'
import type { Context } from '../context.ts'
import type { Terminal } from '../terminal.ts'
import { tokenVariables } from '../token.ts'
import { type AddCommand, type Printed, withCommonOptions, withContext } from './command.ts'

export const addOpen: AddCommand = (program, terminal) => {
  withCommonOptions(program.command('open'))
    .summary('open the page of the repository in your browser')
    .description('Prints the address of the page that shows the repository, and opens it.')
    .action((options) => withContext(terminal, options, open))
}

async function open({ terminal, service, repository, options }: Context): Promise<Printed> {
  const url = new URL(`${repository.owner}/${repository.name}`, service).href
  if (!options.json && !openBrowser(url, terminal))
    terminal.err('No browser could be opened: open the address yourself.')
  return { json: { url }, lines: [url] }
}

const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // `cmd /c start` would read a & in an address as the end of the command.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Whether there is a program to open it, which may still fail: the address is printed anyway. */
function openBrowser(url: string, { env, isInteractive }: Terminal): boolean {
  if (!isInteractive) return true
  const [program, ...args] = openers[process.platform] ?? ['xdg-open']
  // The browser outlives this command and needs no token.
  const without = Object.fromEntries(Object.entries(env).filter(([name]) => !tokenVariables.includes(name)))
  const child = spawn(program, [...args, url], { env: without, stdio: 'ignore', detached: true })
  child.once('error', () => {})
  child.unref()
  return child.pid !== undefined
}
