import { parseArgs } from 'node:util'
import { benchCheck } from './check.ts'
import { benchObserved } from './observed.ts'
import { measurePairs } from './pair.ts'
import { benchRoutes } from './routes.ts'
import { realTree } from './tree.ts'
import { startWorld } from './world.ts'

/**
 * Measures all speed targets in one run, and prints ratios with median and spread. `--wild 0.03` is the share of recorded
 * globs that begin with `**`. `--million` adds 1,000 other repositories of 1,000 activities. `--observed` measures checks
 * among open pull requests alone.
 */
const { values } = parseArgs({
  options: {
    wild: { type: 'string', default: '0' },
    million: { type: 'boolean', default: false },
    observed: { type: 'boolean', default: false },
  },
})
const wild = Number(values.wild)

const tree = realTree()
console.log(`\nA tree of ${tree.length} files; ${wild * 100} % of the recorded globs begin with **.\n`)

const world = await startWorld()
try {
  if (!values.observed) {
    await benchRoutes(world, tree)
    await benchCheck(world, tree, { wild, million: values.million })
  }
  await benchObserved(world, tree)
} finally {
  await world.stop()
}
// Last, because the garbage that it leaves would slow down the clients.
if (!values.observed) for (const { name, value } of measurePairs()) console.log(`${name.padEnd(52)} ${value}`)
