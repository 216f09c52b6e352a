import type { Program } from './program.ts'

export const gitHooks = ['post-checkout', 'pre-push'] as const

/** Installed hooks contain these markers, so they must not change. */
const begin = '# headsup: begin (`headsup hook uninstall git` takes this away)'
const end = '# headsup: end'

/** Appended to the name of a hook that can't take our lines. Our hook gets its name and calls it. */
export const replacedSuffix = '.before-headsup'

/** Our lines. They never fail, and leave stdin to the lines after them. */
function hookBlock(name: string, { existsTest, command }: Program): string {
  const hook = `${command} hook git ${name} "$@"`
  if (name !== 'pre-push') return `${begin}\nif ${existsTest}; then ${hook} </dev/null || :; fi\n${end}\n`
  // The pushed refs are on stdin, which both hooks need.
  return [
    begin,
    'headsup_pushed=$(cat)',
    `if ${existsTest}; then printf '%s\\n' "$headsup_pushed" 2>/dev/null | ${hook} || :; fi`,
    'if [ -n "$headsup_pushed" ]; then exec <<headsup_end',
    '$headsup_pushed',
    'headsup_end',
    'else exec </dev/null; fi',
    end,
    '',
  ].join('\n')
}

/** A hook of our own, which ends by running the hook that it replaced. */
export function ownScript(name: string, program: Program): string {
  const replaced = `"$0${replacedSuffix}"`
  return `#!/bin/sh\n${hookBlock(name, program)}if [ -x ${replaced} ]; then exec ${replaced} "$@"; fi\n`
}

export function isOwnScript(script: string): boolean {
  return script.includes(begin) && script.includes(`exec "$0${replacedSuffix}"`)
}

export function isShellScript(script: string): boolean {
  return /^#!\s*\S*(?:\/|\/env\s+)(?:ba|da|a|k|z)?sh\b/.test(script)
}

/** A shell script with our lines after its `#!` line. Adding the same lines again changes nothing. */
export function withBlock(script: string, name: string, program: Program): string {
  const others = withoutBlock(script)
  const first = others.startsWith('#!') ? others.indexOf('\n') + 1 || others.length : 0
  const head = others.slice(0, first)
  return `${head}${head && !head.endsWith('\n') ? '\n' : ''}${hookBlock(name, program)}${others.slice(first)}`
}

export function withoutBlock(script: string): string {
  const from = script.indexOf(begin)
  const to = script.indexOf(end, from)
  return from === -1 || to === -1 ? script : script.slice(0, from) + script.slice(to + end.length + 1)
}
