import { execFile } from 'node:child_process'
import type { Terminal } from '../terminal.ts'

/** The host that the configuration of ssh names for an alias, such as `Host work` with `HostName github.com`. */
export function hostOfSshAlias({ env, signal }: Pick<Terminal, 'env' | 'signal'>, alias: string): Promise<string> {
  return new Promise((resolve) => {
    // Without the dashes, an alias from a hostile remote could be an option.
    execFile('ssh', ['-G', '--', alias], { env, signal }, (error, stdout) =>
      resolve(error ? alias : (/^hostname (.+)$/im.exec(stdout)?.[1] ?? alias)),
    )
  })
}
