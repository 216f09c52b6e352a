import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { recordingOf, svgOf } from '../../scripts/demo/recording.ts'

/** Without ages and ports, which differ from run to run. */
const timeless = (text: string) => text.replace(/just now|\d+ min ago/g, 'AGE').replace(/127\.0\.0\.1:\d+/g, 'HOST')

describe('the demo', () => {
  it('plays the whole story in plain text, each answer as it expects and as docs/demo.svg shows, and leaves no data behind', async () => {
    const TMPDIR = await mkdtemp(join(tmpdir(), 'headsup-story-'))
    // Where the tests run as root, PostgreSQL runs as another user, who has to reach its data.
    await chmod(TMPDIR, 0o755)
    const { PATH = '' } = process.env
    const options = { env: { PATH, TMPDIR }, timeout: 290_000 }
    const { stdout } = await promisify(execFile)(process.execPath, ['scripts/demo.mjs', '--script'], options)
    expect(stdout).toContain('That was the story.')
    expect(stdout).toContain('150 rewritten, 6 an hour')
    // A shell would take `?` for a pattern and `&` for the end of the command.
    expect(stdout).not.toMatch(/curl (-X POST )?http\S*[?&]/)
    expect(stdout).toMatch(/Work begins again[\s\S]*severity: high\n *example_path: src\/auth\/login\.ts/)
    expect(stdout).toBe(stripVTControlCharacters(stdout))
    expect(await readdir(TMPDIR)).toEqual([])
    expect(timeless(svgOf(recordingOf(stdout)))).toBe(timeless(await readFile('docs/demo.svg', 'utf8')))
    await rm(TMPDIR, { recursive: true })
  }, 300_000)
})
