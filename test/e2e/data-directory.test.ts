import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runProgram } from '../support/program.ts'
import { scratch } from '../support/scratch.ts'
import { startBuiltService } from '../support/service-server.ts'

/** Why the service does not start on the data directory. */
async function refusalOf(dataDir: string): Promise<string> {
  const started = startBuiltService({ HEADSUP_DATA_DIR: dataDir })
  return await started.then(
    () => expect.fail('It started.'),
    (error: Error) => error.message,
  )
}

const unusable: [what: string, why: RegExp, make: (directory: string) => Promise<string>][] = [
  [
    'is a file',
    /is not a directory/,
    async (directory) => {
      await writeFile(join(directory, 'file'), '')
      return join(directory, 'file')
    },
  ],
  [
    'lies in a file',
    /can not be made.*ENOTDIR/,
    async (directory) => {
      await writeFile(join(directory, 'file'), '')
      return join(directory, 'file/data')
    },
  ],
  [
    'is a link to nowhere',
    /is a link that leads nowhere/,
    async (directory) => {
      await symlink(join(directory, 'nowhere'), join(directory, 'link'))
      return join(directory, 'link')
    },
  ],
  [
    'lies behind a link to nowhere',
    /can not be made.*is a link that leads nowhere/,
    async (directory) => {
      await symlink(join(directory, 'nowhere'), join(directory, 'link'))
      return join(directory, 'link/data')
    },
  ],
  [
    'is a link to itself',
    /can not be made.*ELOOP/,
    async (directory) => {
      await symlink(join(directory, 'link'), join(directory, 'link'))
      return join(directory, 'link')
    },
  ],
]
if (process.platform === 'linux') {
  // Nobody can make anything there, root included; a recursive mkdir of Node 20 tries for ever.
  unusable.push(['lies where nothing can be made', /can not be made.*ENOENT/, async () => '/proc/x/y'])
  unusable.push(['takes no files', /can not be used.*E[A-Z]+/, async () => '/proc'])
}
if (process.getuid?.() !== 0) {
  unusable.push([
    'is not readable',
    /can not be used.*EACCES/,
    async (directory) => {
      await mkdir(join(directory, 'data'), { mode: 0 })
      return join(directory, 'data')
    },
  ])
  unusable.push([
    'is not writable',
    /can not be used.*EACCES/,
    async (directory) => {
      await mkdir(join(directory, 'data'), { mode: 0o500 })
      return join(directory, 'data')
    },
  ])
}

it.each(unusable)('a data directory that %s ends the start with one sentence that names it', async (_, why, make) => {
  const dataDir = await make(await scratch())
  const refusal = await refusalOf(dataDir)
  expect(refusal).not.toContain('\n')
  expect(refusal).toContain(dataDir)
  expect(refusal).toContain('HEADSUP_DATA_DIR')
  expect(refusal).toMatch(why)
})

it('the program prints only the sentence, and exits with 1', async () => {
  const directory = await scratch()
  await writeFile(join(directory, 'file'), '')
  const dataDir = join(directory, 'file')
  const { code, printed } = await runProgram({ HEADSUP_DATA_DIR: dataDir, LOG_LEVEL: 'error' }, directory)
  expect({ code, printed }).toEqual({ code: 1, printed: `Headsup can not start: ${await refusalOf(dataDir)}\n` })
})
