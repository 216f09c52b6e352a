import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Runs the program on a terminal of its own; its complaints go to the file `said`. */
function runOnTerminal(directory: string) {
  const { PATH = '' } = process.env
  const env = { PATH, PORT: '0', LOG_LEVEL: 'error', HEADSUP_DATA_DIR: join(directory, 'data') }
  const command = `cd ${directory}; echo $$ > pid; exec ${process.execPath} ${main} 2> said`
  const terminal = spawn('script', ['-qec', command, '/dev/null'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  let shown = ''
  terminal.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()))
  return { terminal, shown: () => shown }
}

it.runIf(process.platform === 'linux')(
  'a terminal that is closed ends the program cleanly, with its PostgreSQL',
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'headsup-e2e-'))
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    // Where the tests run as root, PostgreSQL runs as another user, who has to reach its data.
    await chmod(directory, 0o755)
    const { terminal, shown } = runOnTerminal(directory)
    await expect.poll(shown, { timeout: 20_000 }).toContain('Headsup is listening on')
    const pid = Number(await readFile(join(directory, 'pid'), 'utf8'))
    const lockFile = join(directory, 'data/postgres/postmaster.pid')
    expect(existsSync(lockFile)).toBe(true)
    terminal.kill('SIGKILL')
    await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false)
    expect(existsSync(lockFile)).toBe(false)
    // Node says here why it aborted.
    expect(await readFile(join(directory, 'said'), 'utf8')).toBe('')
  },
)
