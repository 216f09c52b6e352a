import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { packages } from '../../../agents/versions.ts'

it('docs/agents.md names the versions with which the real agents are tested', () => {
  const text = readFileSync(new URL('../../../../docs/agents.md', import.meta.url), 'utf8')
  for (const { version } of Object.values(packages)) expect(text).toContain(` ${version}`)
})
