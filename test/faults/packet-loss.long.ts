import { chmod } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { call } from '../support/client.ts'
import { scratch } from '../support/scratch.ts'
import { expectNoViolations } from './load/expect-no-violations.ts'
import { startLoad } from './load/start-load.ts'
import { mayLosePackets, startLossyNetwork } from './stage/lossy-network.ts'
import { randomFrom } from './stage/random.ts'
import { startStageWith } from './stage/start-stage.ts'

const isPossible = mayLosePackets()
const skipped = isPossible ? '' : ' (skipped: it needs root, unshare, ip, and iptables with the match "statistic")'
const secondsEach = 20

it.skipIf(!isPossible)(
  `a network to the database that loses 5, 20, 50 and 100 % of its packets causes nothing but 503, and nothing is lost${skipped}`,
  async () => {
    const socketDirectory = await scratch()
    await chmod(socketDirectory, 0o777)
    const { github, postgres, between, fleet } = await startStageWith(
      (server) => startLossyNetwork(socketDirectory, server),
      { postgres: [`unix_socket_directories=${socketDirectory}`] },
    )
    const load = startLoad({
      repository: github.addRepository('lossy'),
      urls: () => fleet.urls,
      random: randomFrom(1),
      clients: 8,
    })
    await load.acknowledged(200)
    for (const part of [0, 0.05, 0.2, 0.5, 1]) {
      between.lose(part)
      const { attempts } = load.load.ledger
      const before = { ...attempts }
      const readiness: number[] = []
      for (const until = performance.now() + secondsEach * 1_000; performance.now() < until; await sleep(500)) {
        for (const url of fleet.urls) readiness.push((await call(`${url}/readyz`)).status)
      }
      const acknowledged = attempts.acknowledged - before.acknowledged
      const ready = readiness.filter((status) => status === 200).length
      console.log({ part, acknowledged, unknown: attempts.unknown - before.unknown, ready, of: readiness.length })
    }
    between.lose(0)
    const begun = performance.now()
    await load.acknowledged(300)
    const healed = performance.now() - begun
    for (const url of fleet.urls) expect((await call(`${url}/readyz`)).status).toBe(200)
    await expectNoViolations([load], postgres.url, { msUntil300WereAcknowledgedAgain: healed })
  },
  600_000,
)
