import { readdirSync, readFileSync } from 'node:fs'
import type { BenchWorld } from './world.ts'

/** CPU time in milliseconds. */
export interface CpuTime {
  service: number
  postgres: number
}

/** The fields of a process from its state on: the second is its parent. Undefined if it has ended. */
function statOf(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(Number).filter((pid) => Number(statOf(pid)?.[1]) === parent)
}

/**
 * Returns a function that reads the CPU time so far of the service and of all processes of PostgreSQL, which has to run on this machine.
 * A process that has ended counts as it was read last.
 */
export async function cpuMeter({ pid, pool }: BenchWorld): Promise<() => CpuTime> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  const postmaster = Number(statOf(rows[0]?.pid ?? 0)?.[1])
  if (!(postmaster > 1)) throw new Error('The PostgreSQL of BENCH_DATABASE_URL does not run on this machine')
  const known = new Map<number, number>()
  const read = (process: number) => {
    const stat = statOf(process)
    if (stat) known.set(process, 10 * (Number(stat[11]) + Number(stat[12])))
    return known.get(process) ?? 0
  }
  return () => {
    for (const process of childrenOf(postmaster)) read(process)
    const service = read(pid)
    const all = [...known.values()].reduce((sum, ms) => sum + ms, 0)
    return { service, postgres: all - service }
  }
}
