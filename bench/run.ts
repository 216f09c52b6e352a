import { parseArgs } from 'node:util'
import { benchCheck } from './check.ts'
import { measurePairs } from './pair.ts'
import { benchRoutes } from './routes.ts'
import { realTree } from './tree.ts'
import { startWorld } from './world.ts'

/**
 * Measures all speed targets in one run, and prints ratios with median and spread. `--wild 0.03` is the share of recorded
 * globs that begin with `**`. `--million` adds 1,000 other repositories of 1,000 activities.
 */
const { values } = parseArgs({
  options: { wild: { type: 'string', default: '0' }, million: { type: 'boolean', default: false } },
})
const wild = Number(values.wild)

const tree = realTree()
console.log(`\nA tree of ${tree.length} files; ${wild * 100} % of the recorded globs begin with **.\n`)

const world = await startWorld()
try {
  await benchRoutes(world, tree)
  await benchCheck(world, tree, { wild, million: values.million })
} finally {
  await world.stop()
}
// Last, because the garbage that it leaves would slow down the clients.
for (const { name, value } of measurePairs()) console.log(`${name.padEnd(52)} ${value}`)
