import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import type { Middleware } from './start-stage.ts'

/** A network between the instances and PostgreSQL that loses packets. */
export interface LossyNetwork extends Middleware {
  /** Loses this part of the packets, from 0 to 1, in each direction. */
  lose(part: number): void
}

/** Whether this process may make a network namespace and lose packets in it. */
export function mayLosePackets(): boolean {
  const rule = 'iptables -A INPUT -m statistic --mode random --probability 0.5 -j DROP'
  const links = 'ip link add hsa type veth peer name hsb'
  return spawnSync('unshare', ['--net', 'sh', '-c', `${rule} && ${links}`]).status === 0
}

/** Passes connections of the address in the namespace on to PostgreSQL, by a Unix socket: that needs no network. */
const relay = `
  const { connect, createServer } = require('node:net')
  const server = createServer((socket) => {
    const onward = connect(process.argv[1])
    for (const [one, other] of [[socket, onward], [onward, socket]]) {
      one.on('error', () => {}).once('close', () => other.destroy()).pipe(other)
    }
  })
  server.listen(5432, '0.0.0.0', () => console.log('listening'))`

/** Starts it before a PostgreSQL with a Unix socket in this directory. */
export async function startLossyNetwork(
  socketDirectory: string,
  postgres: { port: number; url: string },
): Promise<LossyNetwork> {
  const socket = `${socketDirectory}/.s.PGSQL.${postgres.port}`
  const child = spawn('unshare', ['--net', process.execPath, '-e', relay, socket], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  const inside = (...command: string[]) => execFileSync('nsenter', ['--net', '--target', String(child.pid), ...command])
  // A pair of interfaces, one of them in the namespace. Both disappear with it.
  const [outer, inner] = [`hs${child.pid}a`, `hs${child.pid}b`]
  const network = `10.203.${(child.pid ?? 0) % 256}`
  execFileSync('ip', ['link', 'add', outer, 'type', 'veth', 'peer', 'name', inner, 'netns', String(child.pid)])
  execFileSync('ip', ['address', 'add', `${network}.1/30`, 'dev', outer])
  execFileSync('ip', ['link', 'set', outer, 'up'])
  inside('ip', 'address', 'add', `${network}.2/30`, 'dev', inner)
  inside('ip', 'link', 'set', inner, 'up')
  const url = new URL(postgres.url)
  url.host = `${network}.2:5432`
  return {
    url: url.href,
    lose(part) {
      inside('iptables', '--flush')
      for (const [chain, side] of [
        ['INPUT', '--in-interface'],
        ['OUTPUT', '--out-interface'],
      ] as const) {
        const match = ['--match', 'statistic', '--mode', 'random', '--probability', String(part)]
        if (part > 0) inside('iptables', '--append', chain, side, inner, ...match, '--jump', 'DROP')
      }
    },
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
