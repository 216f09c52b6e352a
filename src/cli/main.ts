#!/usr/bin/env node
import { writeSync } from 'node:fs'
import { ownVersion } from './bundled-facts.ts'
import { run } from './run.ts'

const timeLimitMs = 20_000
/** Whether the command runs until it is stopped. */
let isEndless = false
const changesLimitMs = 1_000

/** All of stdin; empty where that is a terminal, which would not end. */
async function readInput(): Promise<string> {
  if (process.stdin.isTTY) return ''
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}

/** Writes a line synchronously, so that `process.exit` loses nothing. A closed pipe (`| head`) is not an error. */
function write(stream: 1 | 2, text: string): void {
  const bytes = Buffer.from(`${text}\n`)
  let from = 0
  while (from < bytes.length) {
    try {
      from += writeSync(stream, bytes, from)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      // The reader of a command that runs until it is stopped has closed its output.
      if (code === 'EPIPE' && isEndless) process.exit(0)
      if (code === 'EPIPE') return
      if (code !== 'EAGAIN') throw error
    }
  }
}

async function main(argv: readonly string[]): Promise<void> {
  if (['--version', '-v', 'version'].includes(argv[0] ?? '')) {
    write(1, ownVersion())
    return
  }
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), timeLimitMs).unref()
  // `process.exit` below does not wait for an open stdin or a slow child process.
  const code = await run(argv, {
    env: process.env,
    cwd: process.cwd(),
    platform: process.platform,
    now: Date.now,
    elapsedMs: () => performance.now(),
    out: (line) => write(1, line),
    err: (line) => write(2, line),
    isInteractive: process.stdout.isTTY === true,
    colour: process.stdout.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb',
    readInput,
    program: process.argv.slice(0, 2),
    isHook: false,
    changesLimitMs,
    signal: limit.signal,
    liftTimeLimit() {
      clearTimeout(timer)
      isEndless = true
    },
  })
  process.exit(code)
}

// Without `await` at the top, which CommonJS does not have (scripts/bundle-cli.mjs).
void main(process.argv.slice(2))
