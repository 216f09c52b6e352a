import { chown, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { updateEnvFile } from '../../../src/setup/env-file.ts'
import { scratch } from '../../support/scratch.ts'

it.runIf(process.getuid?.() === 0)(
  'does not change a file of another user, and leaves no temporary file with secrets',
  async () => {
    const directory = await scratch()
    await writeFile(join(directory, '.env'), 'A=1\n')
    await chown(directory, 4711, 4711)
    onTestFinished(() => process.seteuid?.(0))
    process.seteuid?.(4711)
    await expect(updateEnvFile(join(directory, '.env'), { A: '2' })).rejects.toThrow('EPERM')
    expect(await readdir(directory)).toEqual(['.env'])
    expect(await readFile(join(directory, '.env'), 'utf8')).toBe('A=1\n')
  },
)
