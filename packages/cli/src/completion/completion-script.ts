import type { Command } from 'commander'
import { bashCompletion } from './bash-completion.ts'
import { type DescribedCommand, describedCommand } from './described-command.ts'
import { fishCompletion } from './fish-completion.ts'
import { zshCompletion } from './zsh-completion.ts'

export type Shell = 'bash' | 'zsh' | 'fish'

const SCRIPTS: Readonly<Record<Shell, (program: DescribedCommand) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
}

/** What a shell completes every command, option and closed set of values by. */
export const completionScript = (shell: Shell, program: Command): string => SCRIPTS[shell](describedCommand(program))
