import { describe, expect, it } from 'vitest'
import { callsOf, patient, runSession } from './real-agent.ts'
import { prepareStage, type Stage } from './stage.ts'
import { type AgentName, chosenAgents } from './versions.ts'

let stage: Stage
prepareStage((prepared) => {
  stage = prepared
})

const lines = [2, 5, 8, 14, 17, 20, 23, 26]

/** The times between the model's call of an edit and its next request, in ms, sorted. */
async function editTimes(name: AgentName, hasHooks: boolean): Promise<number[]> {
  const { desk: open } = await stage.open()
  const desk = open('Bob')
  if (hasHooks) await desk.headsup('hook', 'install', name)
  const { read, editLine } = callsOf(desk, name)
  const script = [read('src/a.ts'), ...lines.map((line) => editLine('src/a.ts', line))].map((call) => ({
    calls: [call],
  }))
  const { code, err, model } = await runSession(desk, name, script, { env: patient })
  expect(code, err).toBe(0)
  const at = model.requests.map((request) => request.at)
  return at
    .slice(2)
    .map((time, n) => time - (at[n + 1] ?? Number.NaN))
    .sort((a, b) => a - b)
}

/** Prints what docs/agents.md says of the time that our hooks add to an edit. */
describe.runIf(process.env.AGENTS_LATENCY !== undefined).each(chosenAgents)('%s', (name) => {
  it('edits with and without our hooks', async () => {
    const [without, hooked] = [await editTimes(name, false), await editTimes(name, true)]
    const summary = (times: readonly number[]) => `median ${times[times.length >> 1]} ms, worst ${times.at(-1)} ms`
    console.log(`${name}: without hooks ${summary(without)}; with hooks ${summary(hooked)}; ${lines.length} edits each`)
    expect(hooked).toHaveLength(lines.length)
  })
})
