import type { CommandContext } from '../command-context.ts'
import type { GitConfig } from '../git/git-config.ts'

/** Whether the user wants no merges tried: by `--no-merge`, or by the setting `headsup.merge`. */
export function isSwitchedOff({ args, config }: Pick<CommandContext, 'args' | 'config'>): boolean {
  return args.flag('no-merge') === true || isSwitchedOffIn(config)
}

export function isSwitchedOffIn(config: GitConfig): boolean {
  return /^(?:false|no|off|0)$/i.test(config.get('headsup.merge') ?? '')
}
