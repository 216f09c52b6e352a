import type { Program } from './program.ts'

export const gitHooks = ['post-checkout', 'pre-push'] as const
export type GitHook = (typeof gitHooks)[number]

/** Installed hooks contain these markers, so they must not change. */
const begin = '# headsup: begin (`headsup hook uninstall git` takes this away)'
const end = '# headsup: end'

/** Appended to the name of a hook that can't take our lines. Our hook gets its name and calls it. */
export const replacedSuffix = '.before-headsup'

/** Our lines. They fail only where Git LFS does, and leave stdin to the lines after them. */
function hookBlock(name: GitHook, { existsTest, command }: Program): string {
  const hook = `${command} hook git ${name} "$@"`
  if (name === 'post-checkout') {
    const run = `if ${existsTest}; then ${hook} </dev/null || :; fi`
    return [begin, run, ...lfsLines(name, `git lfs ${name} "$@" </dev/null`), end, ''].join('\n')
  }
  // The pushed refs are on stdin, which all hooks need.
  const pushed = `printf '%s\\n' "$headsup_pushed"`
  return [
    begin,
    'headsup_pushed=$(cat)',
    `if ${existsTest}; then ${pushed} 2>/dev/null | ${hook} || :; fi`,
    ...lfsLines(name, `${pushed} | git lfs ${name} "$@"`),
    'if [ -n "$headsup_pushed" ]; then exec <<headsup_end',
    '$headsup_pushed',
    'headsup_end',
    'else exec </dev/null; fi',
    end,
    '',
  ].join('\n')
}

/**
 * Calls Git LFS where it is set up and used, unless the rest of the hook does: it installs no hook beside ours. Its failure
 * is that of the hook, as with its own hook.
 */
function lfsLines(name: GitHook, call: string): string[] {
  const missing = `echo "This repository uses Git LFS, and git-lfs is not on the PATH: the push would lack files." >&2; exit 2`
  return [
    '# Git LFS installs no hook of its own beside this one.',
    'if git config --get-regexp "^filter[.]lfs[.]" >/dev/null 2>&1 &&',
    '  { [ -d "$(git rev-parse --git-common-dir)/lfs/objects" ] || git grep -q "filter=lfs" -- "*.gitattributes"; } &&',
    `  ! LC_ALL=C sed "/^# headsup: [b]egin/,/^# headsup: [e]nd/d; /^[[:space:]]*#/d" "$0" ${otherScripts} 2>/dev/null |`,
    `    LC_ALL=C grep -Eq "git[^a-z]{1,8}lfs[^a-z]{1,8}${name}|lefthook"`,
    'then',
    `  if command -v git-lfs >/dev/null 2>&1; then ${call} || exit $?`,
    name === 'pre-push' ? `  else ${missing}; fi` : '  fi',
    'fi',
  ]
}

/** Where the rest of a hook may be: the hook that ours replaced, and the one that pre-commit put aside. */
const otherScripts = `"$0${replacedSuffix}" "$0.legacy"`

/** A hook of our own, which ends by running the hook that it replaced. */
export function ownScript(name: GitHook, program: Program): string {
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
export function withBlock(script: string, name: GitHook, program: Program): string {
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
