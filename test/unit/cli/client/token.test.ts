import { describe, expect, it } from 'vitest'
import { findToken } from '../../../../src/cli/client/service/token.ts'

const find = (env: NodeJS.ProcessEnv) =>
  findToken({ env: { PATH: '', ...env }, signal: new AbortController().signal }, 'github.com')

describe('the token of the command line', () => {
  it('is the first that a variable names: HEADSUP_TOKEN, GITHUB_TOKEN, GH_TOKEN', async () => {
    const all = { GH_TOKEN: 'c', GITHUB_TOKEN: 'b', HEADSUP_TOKEN: ' a\n' }
    expect(await find(all)).toEqual({ token: 'a', from: 'HEADSUP_TOKEN' })
    expect(await find({ ...all, HEADSUP_TOKEN: ' ' })).toEqual({ token: 'b', from: 'GITHUB_TOKEN' })
    expect(await find({ GH_TOKEN: 'c' })).toEqual({ token: 'c', from: 'GH_TOKEN' })
  })

  it('is none where no variable names one and `gh` is not there, with what to do', async () => {
    await expect(find({})).rejects.toThrow('set HEADSUP_TOKEN or GITHUB_TOKEN, or log in with `gh auth login`')
  })

  it('is refused without being shown where it has characters that no token has', async () => {
    await expect(find({ HEADSUP_TOKEN: 'a b' })).rejects.toThrow(/^The token from HEADSUP_TOKEN contains characters/)
  })
})
