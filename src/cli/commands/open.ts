import { resolve } from 'node:path'
import { openBrowser } from '../client/service/open-browser.ts'
import { type Command, sharedOptions } from '../command.ts'
import { type CommandContext, openCommandContext } from '../command-context.ts'
import { exitCodes, usageError } from '../failure.ts'
import { fromTop, realPath } from '../git/given-paths.ts'

export const command: Command = {
  usage: '[PATH]',
  summary: "Open the repository's page in the browser, signed in.",
  notes: 'With PATH the page shows what is below it. Your token goes to the service, never into the address.',
  examples: ['headsup open', 'headsup open src/auth'],
  options: {
    url: sharedOptions.url,
    insecure: sharedOptions.insecure,
    repo: sharedOptions.repo,
    print: { type: 'boolean', help: 'Print the address instead of opening it.' },
  },
  async run(terminal, args) {
    if (args.positionals.length > 1) throw usageError('open takes one path.')
    const context = await openCommandContext(terminal, args)
    const page = pageOf(context)
    // Fails for a repository that the token cannot see, whose page would show nothing.
    await context.api.call('GET', '/settings')
    const { address, seconds } = await context.api.handOver(page)
    if (!args.flag('print') && (await openBrowser(address, terminal))) {
      terminal.out(`Opened ${page} in the browser.`)
      return exitCodes.ok
    }
    if (!args.flag('print')) terminal.err('Note: no browser could be opened here.')
    terminal.err(`Note: this address signs in once, as you, and works for ${seconds} seconds. Do not share it.`)
    terminal.out(address)
    return exitCodes.ok
  },
}

/** The page of the repository, such as `/acme/shop?path=src%2Fauth`. */
function pageOf({ repository, tree, terminal, args }: CommandContext): string {
  const [given] = args.positionals
  if (given === undefined) return `/${repository}`
  const path = tree ? fromTop(realPath(resolve(terminal.cwd, given)), tree.top) : given.replace(/^\/+/, '')
  if (path === undefined) throw usageError(`${given} is outside of the work tree ${tree?.top}.`)
  return path === '' ? `/${repository}` : `/${repository}?${new URLSearchParams({ path })}`
}
