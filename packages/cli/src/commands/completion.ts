import { Argument, type Command } from 'commander'
import type { Session } from '../session.ts'
import type { Verb } from '../verb.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

const INSTALLING =
  'For this shell alone, read it at once: `source <(rollcall completion bash)`, the same with zsh, or ' +
  '`rollcall completion fish | source`. To keep it, write it where the shell looks: for bash ' +
  '~/.local/share/bash-completion/completions/rollcall, or that first line into ~/.bashrc; for zsh a file _rollcall in ' +
  'a folder of $fpath, before compinit is called; for fish ~/.config/fish/completions/rollcall.fish. Write it again ' +
  'after an update.'

/** `wholeProgram` gives the program with all of its commands. */
export const completion = (wholeProgram: (session: Session) => Promise<Command>): Verb => ({
  name: 'completion',
  summary: 'Print a script that completes commands in a shell',
  details: INSTALLING,
  onlyHere: 'Completion',
  needsNoService: () => true,
  examples: [
    'source <(rollcall completion bash)',
    'rollcall completion zsh > ~/.zfunc/_rollcall',
    'rollcall completion fish > ~/.config/fish/completions/rollcall.fish',
  ],
  define: (command, session) =>
    command
      .addArgument(new Argument('<shell>', 'which one').choices(SHELLS))
      .action(async (shell: (typeof SHELLS)[number]) => {
        // Loaded for this alone: start-up time is felt.
        const { completionScript } = await import('../completion/completion-script.ts')
        const script = completionScript(shell, await wholeProgram(session))
        await (session.json ? session.printJson({ shell, script }) : session.stdout.write(script))
      }),
})
