import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, inject, it, onTestFinished } from 'vitest'
import { main as builtMain } from '../support/program.ts'
import { isAlive, scratch } from '../support/scratch.ts'
import { copyUsedDataDirectory } from '../support/used-data-directory.ts'

const start = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url))

/** Makes the program log while it stops. */
const busy: Record<string, string> = {
  LOG_LEVEL: 'trace',
  HEADSUP_SWEEP_INTERVAL_MS: '10',
  HEADSUP_STOP_DELAY_MS: '500',
}

/** The built program as one file, which starts faster. */
const main = () => inject('bundledPrograms')?.service ?? builtMain

/** Runs the program on its own terminal. Its stderr goes to the file `stderr`. */
function runOnTerminal(directory: string, LOG_FORMAT: string) {
  const { PATH = '' } = process.env
  const data = join(directory, 'data')
  const env: Record<string, string> = { PATH, PORT: '0', ...busy, HEADSUP_DATA_DIR: data, LOG_FORMAT }
  const command = `cd ${directory}; echo $$ > pid; exec ${process.execPath} ${main()} 2> stderr`
  const terminal = spawn('script', ['-qec', command, '/dev/null'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  let stdout = ''
  terminal.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  return { terminal, stdout: () => stdout }
}

it.runIf(process.platform === 'linux').each(['pretty', 'json'])(
  'closing the terminal stops the program and its PostgreSQL cleanly (log format %s)',
  async (format) => {
    const directory = await scratch()
    await copyUsedDataDirectory(join(directory, 'data'))
    const { terminal, stdout } = runOnTerminal(directory, format)
    await expect.poll(stdout).toContain('Headsup is listening on')
    const pid = Number(await readFile(join(directory, 'pid'), 'utf8'))
    const lockFile = join(directory, 'data/postgres/postmaster.pid')
    expect(existsSync(lockFile)).toBe(true)
    terminal.kill('SIGKILL')
    await expect.poll(() => isAlive(pid)).toBe(false)
    expect(existsSync(lockFile)).toBe(false)
    // Node would print here why it aborted.
    expect(await readFile(join(directory, 'stderr'), 'utf8')).toBe('')
  },
)

it.runIf(process.platform !== 'win32')(
  'SIGTERM to npm, whose shell does not forward it, stops the program and its PostgreSQL cleanly',
  async () => {
    const directory = await scratch()
    await copyUsedDataDirectory(join(directory, 'data'))
    const { PATH = '' } = process.env
    const env = { PATH, PORT: '0', HEADSUP_DATA_DIR: join(directory, 'data'), npm_lifecycle_event: 'start' }
    // As npm runs its scripts. The `wait` keeps the shell from replacing itself by the program.
    const shell = spawn('sh', ['-c', `${process.execPath} ${start} & echo $! > pid; wait`], {
      env,
      cwd: directory,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let printed = ''
    shell.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
    await expect.poll(() => printed, { timeout: 40_000 }).toContain('Headsup is listening on')
    const pid = Number(await readFile(join(directory, 'pid'), 'utf8'))
    shell.kill('SIGTERM')
    await expect.poll(() => isAlive(pid)).toBe(false)
    expect(existsSync(join(directory, 'data/postgres/postmaster.pid'))).toBe(false)
  },
)

it.runIf(process.platform === 'linux')(
  'a full disk for the log neither stops the program nor delays its stop',
  async () => {
    const directory = await scratch()
    await copyUsedDataDirectory(join(directory, 'data'))
    const full = await open('/dev/full', 'w')
    const { PATH = '' } = process.env
    const env = { PATH, PORT: '0', HEADSUP_DATA_DIR: join(directory, 'data'), ...busy }
    const child = spawn(process.execPath, [main()], { env, cwd: directory, stdio: ['ignore', full.fd, 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = once(child, 'close')
    await full.close()
    await expect.poll(() => existsSync(join(directory, 'data/postgres/postmaster.pid'))).toBe(true)
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  },
)
