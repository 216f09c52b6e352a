import { createHash } from 'node:crypto'
import { unlink } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { StartError } from '../errors.ts'

/**
 * A name that the system gives to one process at a time, and takes back when that process ends, however it ends: an
 * abstract socket on Linux, a pipe on Windows, elsewhere a socket in the directory.
 */
function lockName(directory: string): string {
  const digest = createHash('sha256').update(directory).digest('hex').slice(0, 32)
  if (process.platform === 'linux') return `\0headsup-${digest}`
  if (process.platform === 'win32') return `\\\\.\\pipe\\headsup-${digest}`
  return join(directory, 'service.sock')
}

function listen(name: string): Promise<() => Promise<void>> {
  const server = createServer((socket) => socket.destroy())
  server.unref()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(name, () => resolve(() => new Promise((done) => server.close(() => done()))))
  })
}

function answers(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(name)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

/** Holds the data directory for this process, until released. Throws `StartError` where another service holds it. */
export async function lockDataDirectory(directory: string): Promise<() => Promise<void>> {
  const name = lockName(directory)
  const inUse = new StartError(`another Headsup is running on the data directory ${directory}`)
  try {
    return await listen(name)
  } catch {
    if (process.platform === 'linux' || process.platform === 'win32' || (await answers(name))) throw inUse
    await unlink(name).catch(() => {})
    return listen(name).catch(() => {
      throw inUse
    })
  }
}
