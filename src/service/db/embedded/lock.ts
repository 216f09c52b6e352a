import { createHash, randomBytes } from 'node:crypto'
import { open, rename, stat, unlink } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../../../core/errors.ts'

type Release = () => Promise<void>

/** How long another start may take from reading the directory to writing its socket there, in milliseconds. */
const settleMs = 100

/**
 * Locks the data directory until it is released or the process ends. Throws `StartError` if another service has locked it.
 *
 * There are two locks. One is a name that the system gives to a single process: an abstract socket on Linux, a pipe on
 * Windows. It is exact, but visible only in one container (network namespace). The other is a socket in the directory, to
 * which every process that shares the directory can connect, such as one in another container.
 */
export async function lockDataDirectory(directory: string): Promise<Release> {
  const inUse = new StartError(`another Headsup is running on the data directory ${directory}`)
  const releaseName = await takeName(directory, inUse)
  if (process.platform === 'win32') return releaseName
  try {
    const releaseSocket = await takeSocket(directory, inUse)
    return async () => {
      await releaseSocket()
      await releaseName()
    }
  } catch (error) {
    // Some shared folders do not support sockets. On Linux the name is exact, and suffices.
    if (process.platform === 'linux' && error !== inUse) return releaseName
    await releaseName()
    throw error
  }
}

async function takeName(directory: string, inUse: StartError): Promise<Release> {
  const digest = createHash('sha256').update(directory).digest('hex').slice(0, 32)
  const name = { linux: `\0headsup-${digest}`, win32: `\\\\.\\pipe\\headsup-${digest}` }[String(process.platform)]
  if (name === undefined) return async () => {}
  const server = await listen(name).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' ? inUse : error
  })
  return () => close(server)
}

/** Of several starts, the last that writes the socket gets the lock. Each waits, and then checks whether the socket is its own. */
async function takeSocket(directory: string, inUse: StartError): Promise<Release> {
  // The path of a socket is limited to about 100 bytes. Linux has a short path to every open directory.
  const handle = await open(directory)
  const short = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : directory
  const path = join(short, 'service.sock')
  const own = join(short, `service.${randomBytes(4).toString('hex')}.sock`)
  let server: Server | undefined
  const release = async () => {
    if (server) await close(server)
    await handle.close()
  }
  try {
    if (await isListening(path)) throw inUse
    // A start as another user must be able to connect, too.
    server = await listen(own, { writableAll: true })
    const { ino } = await stat(own)
    await rename(own, path)
    const isOurs = () =>
      stat(path).then(
        (found) => found.ino === ino,
        () => false,
      )
    await sleep(settleMs)
    if (!(await isOurs())) throw inUse
    return async () => {
      if (await isOurs()) await unlink(path)
      await release()
    }
  } catch (error) {
    await release()
    throw error
  }
}

function listen(path: string, { writableAll = false } = {}): Promise<Server> {
  const server = createServer((socket) => socket.destroy())
  server.unref()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ path, writableAll }, () => resolve(server))
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}

/** Whether a process listens there. A socket of an ended process refuses connections. */
function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ENOENT' && code !== 'ECONNREFUSED'))
  })
}
