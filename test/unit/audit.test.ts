import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)

/** Runs the check with a program that prints this in place of `npm audit`. */
function audit(printed: string) {
  const program = `console.log(${JSON.stringify(printed)})`
  const fake = `data:text/javascript,${encodeURIComponent(program)}`
  const { status, stdout } = spawnSync(process.execPath, ['scripts/audit.mjs'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, AUDIT_COMMAND: `${process.execPath} --import ${fake} -e 0` },
  })
  return { status, stdout }
}

const found = (counts: object) => JSON.stringify({ metadata: { vulnerabilities: counts } })

describe('the check for known vulnerabilities', () => {
  it.each([
    [
      'a high one',
      found({ total: 3, moderate: 2, high: 1 }),
      1,
      'Known vulnerabilities: 3, of which 1 high or critical.\n',
    ],
    ['moderate ones', found({ total: 2, moderate: 2 }), 0, 'Known vulnerabilities: 2, of which 0 high or critical.\n'],
    ['no answer', '', 0, 'Known vulnerabilities: not checked, the registry does not answer.\n'],
    [
      'a refusal',
      '{"message": "405 Method Not Allowed"}',
      0,
      'Known vulnerabilities: not checked, the registry does not answer.\n',
    ],
  ])('with %s', (_, printed, status, stdout) => {
    expect(audit(printed)).toEqual({ status, stdout })
  })

  it('is a step of CI, and the release has a list of what it contains', () => {
    expect(readFileSync(new URL('.ci/run', root), 'utf8')).toContain('node scripts/audit.mjs')
    const release = readFileSync(new URL('.github/workflows/release.yml', root), 'utf8')
    expect(release).toContain('node scripts/sbom.mjs > ')
  })
})
