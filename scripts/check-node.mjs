// Ends the process with one line if this Node.js is too old. Each script imports it before everything else. An old Node.js
// has to be able to read it, and all that the scripts import besides.
import { readFileSync } from 'node:fs'

/**
 * The oldest release that works instead of this version, such as `20.19`, or undefined if this one works. Without names from
 * outside: scripts/bundle-cli.mjs copies its text.
 *
 * @param {string} engines as in package.json, such as `^20.19.0 || >=24.0.0` @param {string} version
 * @returns {string | undefined}
 */
export function releaseNeeded(engines, version) {
  const [major, minor] = version.split('.').map(Number)
  const oldest = [...engines.matchAll(/\^(\d+)\.(\d+)/g)].find(([, release]) => major <= Number(release))
  if (!oldest || major > Number(oldest[1]) || (major === Number(oldest[1]) && minor >= Number(oldest[2])))
    return undefined
  return `${oldest[1]}.${oldest[2]}`
}

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const needed = releaseNeeded(engines.node, process.versions.node)
if (needed) {
  console.error(`Headsup needs Node.js ${needed} or newer, and this is ${process.versions.node}.`)
  process.exit(1)
}
