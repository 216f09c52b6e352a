export const gitHooks = ['post-checkout', 'pre-push'] as const

const begin = '# headsup: begin (`headsup hook uninstall git` takes this away)'
const end = '# headsup: end'

/** What a hook that is no shell script, or not to be changed, is called while ours stands in its place. */
export const asideSuffix = '.before-headsup'

export interface Program {
  /** A shell command that is true where the program is there. */
  isThere: string
  /** The program for a shell. */
  call: string
  /** Whether it is called as anybody who has it can. */
  isOnPath: boolean
}

/** Our lines: first, leaving the stdin that the hook that was there needs, and never failing. */
function block(name: string, { isThere, call }: Program): string {
  const hook = `${call} hook git ${name} "$@"`
  if (name !== 'pre-push') return `${begin}\nif ${isThere}; then ${hook} </dev/null || :; fi\n${end}\n`
  // What is pushed stands on stdin: read here, and given to both.
  return [
    begin,
    'headsup_pushed=$(cat)',
    `if ${isThere}; then printf '%s\\n' "$headsup_pushed" 2>/dev/null | ${hook} || :; fi`,
    'if [ -n "$headsup_pushed" ]; then exec <<headsup_end',
    '$headsup_pushed',
    'headsup_end',
    'else exec </dev/null; fi',
    end,
    '',
  ].join('\n')
}

/** A hook of our own, which goes on with the one that was moved aside. */
export function ownScript(name: string, program: Program): string {
  const aside = `"$0${asideSuffix}"`
  return `#!/bin/sh\n${block(name, program)}if [ -x ${aside} ]; then exec ${aside} "$@"; fi\n`
}

export function isOwnScript(script: string): boolean {
  return script.includes(begin) && script.includes(`exec "$0${asideSuffix}"`)
}

export function isShellScript(script: string): boolean {
  return /^#!\s*\S*(?:\/|\/env\s+)(?:ba|da|a|k|z)?sh\b/.test(script)
}

/** A shell script with our lines after its first. The same ones again change nothing. */
export function withBlock(script: string, name: string, program: Program): string {
  const others = withoutBlock(script)
  const first = others.startsWith('#!') ? others.indexOf('\n') + 1 || others.length : 0
  const head = others.slice(0, first)
  return `${head}${head && !head.endsWith('\n') ? '\n' : ''}${block(name, program)}${others.slice(first)}`
}

export function withoutBlock(script: string): string {
  const from = script.indexOf(begin)
  const to = script.indexOf(end, from)
  return from === -1 || to === -1 ? script : script.slice(0, from) + script.slice(to + end.length + 1)
}
