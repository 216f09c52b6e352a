import { writeSync } from 'node:fs'
import { run } from './run.ts'
import { exitCodes, type Terminal } from './terminal.ts'

const terminal: Terminal = {
  cwd: workingDirectory(),
  env: process.env,
  now: Date.now,
  out: (line) => write(1, line),
  err: (line) => write(2, line),
  isInteractive: process.stdout.isTTY === true,
  signal: new AbortController().signal,
  exitCode: exitCodes.ok,
}

/** Writes a line synchronously, so that `process.exit` loses nothing. A reader that has gone (`| head`) is no error. */
function write(stream: 1 | 2, text: string): void {
  const bytes = Buffer.from(`${text}\n`)
  for (let from = 0; from < bytes.length; ) {
    try {
      from += writeSync(stream, bytes, from)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code === 'EPIPE' && stream === 2) return
      if (code === 'EPIPE') process.exit(terminal.exitCode)
      // A pipe that is full: its reader is slow.
      if (code === 'EAGAIN') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
      else throw error
    }
  }
}

/** The directory may be gone. */
function workingDirectory(): string {
  try {
    return process.cwd()
  } catch {
    return process.env.PWD ?? '/'
  }
}

// On Windows a program of this name in the clone would be run instead of git.
process.env.NoDefaultCurrentDirectoryInExePath = '1'
// Not awaited at the top: the bundle is read as CommonJS by an old Node, which then says what it needs.
// It fails where nothing at all can be written.
run(process.argv.slice(2), terminal).then(process.exit, () => process.exit(exitCodes.failure))
