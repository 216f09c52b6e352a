import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'

describe('the demo', () => {
  it('tells its whole story, each answer as it says, in plain text, and leaves no data behind', async () => {
    const TMPDIR = await mkdtemp(join(tmpdir(), 'headsup-story-'))
    // Where the tests run as root, PostgreSQL runs as another user, who has to reach its data.
    await chmod(TMPDIR, 0o755)
    const { PATH = '' } = process.env
    const options = { env: { PATH, TMPDIR }, timeout: 90_000 }
    const { stdout } = await promisify(execFile)(process.execPath, ['scripts/demo.mjs', '--script'], options)
    expect(stdout).toContain('That was the story.')
    expect(stdout).toBe(stripVTControlCharacters(stdout))
    expect(await readdir(TMPDIR)).toEqual([])
    await rm(TMPDIR, { recursive: true })
  }, 100_000)
})
