import { devNull } from 'node:os'
import { shellQuoted } from '../../shell-quoted.ts'

/** GitSettings of git, which come before those of any file. */
export type GitSettings = Readonly<Record<string, string>>

/**
 * What keeps git from running programs of others, and from writing into the clone (docs/rules.md#tried-merges). The tests
 * leave out one after the other, to see that they would notice.
 */
export interface Guards {
  /** Variables for git and its helpers. */
  variables: GitSettings
  /** In the clone, whose settings count. */
  clone: GitSettings
  /** For each filter driver that the settings of the clone name. */
  filter: GitSettings
  /** In the temporary store: no settings of the user, the machine or the clone count. */
  isolation: GitSettings
  /** `info/attributes` of the store, which precedes the attributes of all trees. */
  attributes: string
  /** For fetching into the store. */
  fetch: GitSettings
  fetchOptions: readonly string[]
  /** For merging in the store. */
  merge: GitSettings
  /** Whether objects and the index are written into the store, when the work tree is read. */
  hasOwnIndex: boolean
  hasOwnObjects: boolean
  /** Whether git refuses to update refs of the clone, should anything try to. */
  isQuarantined: boolean
  /** Whether heads are fetched into the store. */
  fetchesIntoStore: boolean
  /** Whether git takes settings only in the form of `git -c`, as before 2.31. */
  isBefore31: boolean
}

export const allGuards: Guards = {
  variables: {
    // Known from git 2.45 on; before, the setting `protocol.allow` does the same.
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: 'true',
    SSH_ASKPASS: 'true',
    SSH_ASKPASS_REQUIRE: 'never',
    GCM_INTERACTIVE: 'never',
  },
  clone: {
    'safe.bareRepository': 'explicit',
    'core.fsmonitor': 'false',
    // git runs a hook when it has written an index.
    'core.hooksPath': devNull,
    // Part of a split index would lie in the clone.
    'core.splitIndex': 'false',
    'core.safecrlf': 'false',
    'protocol.allow': 'never',
  },
  filter: { clean: '', smudge: '', process: '', required: 'false' },
  isolation: { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: devNull, GIT_ATTR_NOSYSTEM: '1' },
  attributes: '* merge=text !filter !diff !conflict-marker-size !text !eol !working-tree-encoding !ident\n',
  fetch: {
    'protocol.allow': 'never',
    // The token is for one host.
    'http.followRedirects': 'false',
    // A fetch whose caller was killed ends by itself.
    'http.lowSpeedLimit': '1',
    'http.lowSpeedTime': '10',
    // One pack, whose size is watched.
    'fetch.unpackLimit': '1',
    'core.bigFileThreshold': '1m',
  },
  fetchOptions: [
    ...['--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--no-recurse-submodules'],
    ...['--no-show-forced-updates', '--filter=blob:limit=1m'],
  ],
  merge: {
    'protocol.allow': 'never',
    'merge.renames': 'true',
    'merge.renormalize': 'false',
    'core.bigFileThreshold': '8m',
  },
  hasOwnIndex: true,
  hasOwnObjects: true,
  isQuarantined: true,
  fetchesIntoStore: true,
  isBefore31: false,
}

/** The variables that set settings of git, out of sight of other users. */
export function settingsEnv(
  settings: readonly (readonly [string, string])[],
  { isBefore31 }: Pick<Guards, 'isBefore31'>,
): Record<string, string> {
  if (isBefore31)
    return { GIT_CONFIG_PARAMETERS: settings.map(([key, value]) => shellQuoted(`${key}=${value}`)).join(' ') }
  const entries = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ])
  return { ...Object.fromEntries(entries), GIT_CONFIG_COUNT: String(settings.length) }
}

/** The user's own choice of settings files, and of certificates. */
const userVariables = /^GIT_(?:CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)|SSL_CAINFO|SSL_CAPATH)$/

/** The caller's variables without those for one repository, and those that keep git and its helpers from asking. */
export function quietEnv(env: NodeJS.ProcessEnv, { variables }: Guards): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (!entry[0].startsWith('GIT_') || userVariables.test(entry[0])),
  )
  return { ...Object.fromEntries(kept), ...variables, GIT_LITERAL_PATHSPECS: '1', LC_ALL: 'C' }
}

/** The variables of git in a directory of its own, where no settings file counts. */
export function isolatedEnv(env: NodeJS.ProcessEnv, directory: string, guards: Guards): Record<string, string> {
  const isIsolated = Object.keys(guards.isolation).length > 0
  // curl reads logins from a file in the home directory.
  const home = isIsolated && { HOME: directory, XDG_CONFIG_HOME: directory }
  return { ...quietEnv(env, guards), ...home, ...guards.isolation, GIT_CEILING_DIRECTORIES: directory }
}
