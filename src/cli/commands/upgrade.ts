import { chmodSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { bundledAddress, bundledVersion } from '../bundled-facts.ts'
import { isSafeForToken, readAddress } from '../client/service/api.ts'
import { fetchText } from '../client/service/http.ts'
import { type Command, sharedOptions } from '../command.ts'
import { exitCodes, Failure, unavailable, usageError } from '../failure.ts'

export const command: Command = {
  usage: '',
  summary: 'Replace this file by the one that the service hands out.',
  notes: 'Only for the single file headsup.mjs. Repositories and HEADSUP_URL do not say where it comes from.',
  examples: ['headsup upgrade'],
  options: { url: sharedOptions.url, insecure: sharedOptions.insecure },
  async run(terminal, args) {
    const [, file = ''] = terminal.program
    if (bundledVersion === undefined)
      throw new Failure(
        exitCodes.refused,
        'This is not the single file headsup.mjs: upgrade the package or the clone that it is in.',
      )
    const given = args.text('url') ?? bundledAddress
    if (given === undefined) throw usageError('--url is needed: this file does not know which service it is from.')
    const url = readAddress(given, '--url')
    // Whoever can change the file on its way can run anything here.
    if (!isSafeForToken(url) && !args.flag('insecure'))
      throw usageError(`${url.origin} is another machine without https, where others could change the file.`)
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/-/headsup.mjs`
    const text = await fetchText(url, terminal.signal)
    if (!/^#!\/usr\/bin\/env node\n/.test(text) || !text.includes('headsup needs Node'))
      throw unavailable(`${url.origin} does not hand out the command line.`)
    replaceFile(file, text)
    terminal.out(`${file}: replaced by the file of ${url.origin}.`)
    return exitCodes.ok
  },
}

/** Writes beside the file and renames, so that nobody runs half a file. */
function replaceFile(file: string, text: string): void {
  const draft = `${file}.${process.pid}`
  try {
    writeFileSync(draft, text)
    chmodSync(draft, statSync(file).mode)
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw new Failure(exitCodes.refused, `${file} can't be replaced: ${error instanceof Error ? error.message : ''}`)
  }
}
