import { spawn } from 'node:child_process'
import { devNull } from 'node:os'
import { settingsVariables } from '../git/git.ts'

export interface StoreGitCall {
  input?: string
  env?: Readonly<Record<string, string>>
  settings?: Readonly<Record<string, string>>
}

/** Why merges could not be tried: the rest of the sentence "Not tried: …". */
export class NotTried extends Error {}

/** Git failed. What it wrote until then may still count. */
export class GitFailed extends Error {
  readonly stdout: string
  readonly stderr: string

  constructor(stdout: string, stderr: string) {
    super(stderr)
    this.stdout = stdout
    this.stderr = stderr
  }
}

export interface StoreGit {
  /** The output of git. Rejects with `GitFailed` for any exit status but 0, and with `NotTried` where the time is over. */
  run(args: readonly string[], call?: StoreGitCall): Promise<string>
  /** Ends all of git, with the programs that it has started. */
  kill(): void
}

/** How the machine reaches a server. No other variable of the caller reaches git: a hook of git names its own repository. */
const networkVariables = /^(?:PATH|(?:HTTPS?|ALL|NO)_PROXY|SSL_CERT_(?:FILE|DIR)|GIT_SSL_CA(?:INFO|PATH))$/i

/** Runs git in the store, a temporary bare repository. No settings of the clone, the user or the machine count there. */
export function gitInStore(store: string, signal: AbortSignal): StoreGit {
  const running = new Set<number>()
  const kill = () => {
    for (const pid of running) end(pid)
  }
  signal.addEventListener('abort', kill)
  return { kill, run }

  // Each in a session of its own: there is no terminal to ask on, and one signal ends git and its helpers.
  function run(args: readonly string[], { input = '', env = {}, settings = {} }: StoreGitCall = {}): Promise<string> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(outOfTime())
      const child = spawn('git', args, {
        cwd: store,
        env: { ...quietEnv(store), ...settingsVariables(Object.entries(settings)), ...env },
        detached: true,
      })
      const { pid } = child
      if (pid !== undefined) running.add(pid)
      let [stdout, stderr] = ['', '']
      child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text))
      child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
      // Git may end before it has read all of it.
      child.stdin.on('error', () => {}).end(input)
      child.on('error', () => reject(new NotTried('git could not be run')))
      child.on('close', (code) => {
        if (pid !== undefined) running.delete(pid)
        if (code === 0) resolve(stdout)
        else reject(signal.aborted ? outOfTime() : new GitFailed(stdout, stderr))
      })
    })
  }
}

function outOfTime(): NotTried {
  return new NotTried('it took too long')
}

function end(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** Git asks nobody. curl reads logins from the home directory, so that is the store. */
function quietEnv(store: string): Record<string, string> {
  const network = Object.entries(process.env).flatMap(([name, value]) =>
    networkVariables.test(name) && value !== undefined ? [[name, value]] : [],
  )
  return {
    ...Object.fromEntries(network),
    ...{ GIT_DIR: store, HOME: store, XDG_CONFIG_HOME: store, LC_ALL: 'C', GIT_LITERAL_PATHSPECS: '1' },
    ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: devNull, GIT_ATTR_NOSYSTEM: '1' },
    ...{ GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: 'true', SSH_ASKPASS: 'true', GCM_INTERACTIVE: 'never' },
    // Known from git 2.45 on. The setting `protocol.allow` does the same before.
    GIT_NO_LAZY_FETCH: '1',
  }
}
