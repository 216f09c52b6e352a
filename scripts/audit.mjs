// Asks the registry for known vulnerabilities of the dependencies that the service runs with. Fails on high and critical ones.
// Without a network, or where the registry has no such service, it says so and passes.
import { spawnSync } from 'node:child_process'

const npm = process.env.AUDIT_COMMAND?.split(' ') ?? ['npm']
const [program = 'npm', ...before] = npm
const options = ['--omit=dev', '--json', '--audit', '--fetch-retries=0', '--fetch-timeout=10000']
const { stdout } = spawnSync(program, [...before, 'audit', ...options], { encoding: 'utf8', timeout: 60_000 })
const counts = read(stdout ?? '').metadata?.vulnerabilities
if (!counts) console.log('Known vulnerabilities: not checked, the registry does not answer.')
else {
  const serious = (counts.high ?? 0) + (counts.critical ?? 0)
  console.log(`Known vulnerabilities: ${counts.total ?? 0}, of which ${serious} high or critical.`)
  if (serious > 0) process.exitCode = 1
}

function read(text) {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
