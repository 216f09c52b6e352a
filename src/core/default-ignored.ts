/**
 * Files that tools write, lists that everybody appends to, and the hook files of coding agents. Two changes of such a file are easy to
 * merge.
 */
export const defaultIgnoredPaths: readonly string[] = [
  '**/{package-lock.json,npm-shrinkwrap.json,yarn.lock,pnpm-lock.yaml,bun.lock,bun.lockb,deno.lock}',
  '**/{Cargo,poetry,pdm,uv,pixi,composer,Gemfile,Pipfile,Podfile,mix,pubspec,flake,mise}.lock',
  '**/go.{sum,work.sum}',
  '**/{Package.resolved,MODULE.bazel.lock,.terraform.lock.hcl,gradle.lockfile}',
  '**/{CHANGELOG,CHANGES,HISTORY,NEWS,changelog}{,.md,.rst,.txt}',
  '**/*.snap',
  '**/__snapshots__/**',
  '**/__generated__/**',
  '**/{node_modules,vendor,Pods,Godeps}/**',
  '**/*.{min.js,min.css,js.map,css.map}',
  '.release-please-manifest.json',
  '.claude/{settings,settings.local}.json',
  '.codex/hooks.json',
  '.gemini/settings.json',
  '.opencode/plugins/headsup.js',
]

/** Accounts that open many automatic pull requests. Coding agents are not among them. */
export const defaultIgnoredAuthors: readonly string[] = [
  'dependabot[bot]',
  'renovate[bot]',
  'pre-commit-ci[bot]',
  'mergify[bot]',
  'trunk-io[bot]',
  'snyk-bot',
  'release-please[bot]',
  'changeset-bot[bot]',
]
