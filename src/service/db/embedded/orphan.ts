import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Log } from '../../lib/log.ts'
import type { Cluster } from './cluster.ts'
import { runProgram } from './programs.ts'

/** Stops a server that still runs because its service was killed. Throws `StartError`. */
export async function stopOrphan({ bin, user, directory }: Cluster, log: Log): Promise<void> {
  const pid = await recordedPid(directory)
  if (pid === undefined || !(await isServerOf(pid, directory))) return
  log.warn({ pid }, 'stopping the PostgreSQL that an earlier run left behind')
  const stop = (mode: string) =>
    runProgram(join(bin, 'pg_ctl'), ['stop', '-D', directory, '-m', mode, '-w', '-t', '60'], user)
  await stop('fast').catch(async () => {
    // An immediate shutdown loses nothing: the next start recovers all committed data.
    if (await isServerOf(pid, directory)) await stop('immediate')
  })
}

/** The pid of the last server on the data, unless it was shut down. */
export async function recordedPid(directory: string): Promise<number | undefined> {
  const file = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number.parseInt(file, 10)
  return pid > 0 ? pid : undefined
}

/**
 * Whether the process is a server on the data. The system reuses pids, in containers soon, so it may be another process.
 */
export async function isServerOf(pid: number, directory: string): Promise<boolean> {
  if (process.platform === 'win32') return (await output('tasklist', '/FI', `PID eq ${pid}`)).includes('postgres.exe')
  const command =
    process.platform === 'linux'
      ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      : await output('ps', '-o', 'args=', '-p', String(pid))
  return command.replaceAll('\0', ' ').includes(`postgres -D ${directory} -p `)
}

async function output(program: string, ...args: string[]): Promise<string> {
  return promisify(execFile)(program, args).then(
    ({ stdout }) => stdout,
    () => '',
  )
}
