import { expect, it } from 'vitest'
import type { Desk } from './desk.ts'
import type { ModelRequest } from './model/model.ts'
import { callsOf, patient, runSession } from './real-agent.ts'
import { prepareStage, type Stage } from './stage.ts'
import { told } from './told.ts'
import { type AgentName, chosenAgents } from './versions.ts'

let stage: Stage
prepareStage((prepared) => {
  stage = prepared
})

/** The second edits so much later than the first, in ms. */
const lags = [0, 700]

/** Reads, edits line 11, and runs three commands. Returns the requests of the model from the one after the edit on. */
async function work(desk: Desk, name: AgentName, waitMs: number): Promise<readonly ModelRequest[]> {
  expect(await desk.headsup('hook', 'install', name)).toMatchObject({ code: 0, err: '' })
  const { read, editLine, shell } = callsOf(desk, name)
  const script = [
    { calls: [read('src/a.ts')] },
    { calls: [editLine('src/a.ts', 11)], delayMs: waitMs },
    ...[1, 2, 3].map(() => ({ calls: [shell('sleep 1')], delayMs: 1_500 })),
  ]
  const { code, err, model } = await runSession(desk, name, script, { env: patient })
  expect(code, err).toBe(0)
  return model.requests.slice(2)
}

const isBoth = chosenAgents.includes('claude') && chosenAgents.includes('codex')

it.runIf(isBoth).each(lags)(
  'Claude Code and Codex that begin on the same lines in two clones are both told, one with its edit: %i ms apart',
  async (lagMs) => {
    const { repository, desk: open } = await stage.open({ withColleague: false })
    const ann = open('Ann')
    const ben = open('Ben', { token: repository.otherWriter })
    const both = await Promise.all([work(ann, 'claude', 3_000), work(ben, 'codex', 3_000 + lagMs)])
    const first = both.map((requests, n) =>
      requests.findIndex((request) => told(request, n === 0 ? '“Ben”' : '“Ann”').some((text) => /severity/.test(text))),
    )
    expect(Math.min(...first), `told with the requests ${first}`).toBe(0)
    for (const index of first) expect([0, 1], `told with the requests ${first}`).toContain(index)
  },
)
