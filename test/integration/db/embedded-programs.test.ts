import { chmod, cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { packageDirectory, preparePrograms, runProgram } from '../../../src/service/db/embedded/programs.ts'
import { isReachableBy, postgresUser } from '../../../src/service/db/embedded/user.ts'

let place: string
let hidden: string

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'headsup-programs-'))
  await chmod(place, 0o755)
  hidden = join(await mkdtemp(join(tmpdir(), 'headsup-hidden-')), 'package')
})
afterEach(async () => {
  for (const path of [place, hidden]) await rm(path, { recursive: true, force: true })
})

describe.runIf(process.getuid?.() === 0)('the programs of PostgreSQL, started by root', () => {
  it.each([true, false])(
    'run as another user from below a directory that only root may enter (links made there: %s)',
    async (linked) => {
      const user = await postgresUser()
      await cp(packageDirectory(), hidden, { recursive: true, verbatimSymlinks: true })
      if (linked) await preparePrograms(undefined, place, hidden)
      if (!user) throw new Error('root has to run it as somebody')
      expect(await isReachableBy(hidden, user)).toBe(false)
      const bin = await preparePrograms(user, place, hidden)
      expect(bin.startsWith(place)).toBe(true)
      await runProgram(join(bin, 'initdb'), ['--version'], user)
      await runProgram(join(bin, 'postgres'), ['--version'], user)
    },
  )
})
