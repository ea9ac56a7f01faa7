import { styleText } from 'node:util'
import { Command, CommanderError, Help } from 'commander'
import { CliError, ExitCode, usageError } from './cli-error.ts'
import type { CliHost, CliIo } from './cli-host.ts'
import { backup, restore } from './commands/backup.ts'
import { completion } from './commands/completion.ts'
import { doctor } from './commands/doctor.ts'
import { migrate, migrateData } from './commands/migrate.ts'
import { serve } from './commands/serve.ts'
import { stats } from './commands/stats.ts'
import { failureOf } from './failure.ts'
import { addGlobalOptions, GLOBAL_OPTIONS } from './options.ts'
import { Session } from './session.ts'
import { visible, visibleJson, visibleLines } from './texts.ts'
import { addExamples, addVerb, explained, type Verb } from './verb.ts'

/**
 * Runs one command; `argv` holds the arguments alone. Resolves with the exit code when everything that the command had
 * to say is written. Never rejects.
 */
export type Cli = (argv: readonly string[], io: CliIo) => Promise<number>

export const createCli =
  (host: CliHost): Cli =>
  async (argv, io) => {
    const session = new Session(host, io, argv.includes('--json'))
    let exitCode = await run(session, argv)
    const unwritten = await session.stdout.flush().catch((error: unknown) => error)
    if (unwritten !== undefined) exitCode = await reported(session, await notWritten(unwritten))
    // There is nowhere left to report that standard error cannot be written.
    await session.stderr.flush().catch(() => undefined)
    return exitCode
  }

const run = async (session: Session, argv: readonly string[]): Promise<number> => {
  try {
    if (argv.length === 0 && session.io.interactive && session.stdout.width !== undefined) {
      const { nextSteps } = await import('./next-steps.ts')
      await session.stdout.write(`${visibleLines(nextSteps(await session.host.situation(), session.host.version))}\n`)
      return ExitCode.done
    }
    const program = await createProgram(argv, session)
    await program.parseAsync(argv, { from: 'user' })
    return session.exitCode
  } catch (error) {
    // What commander throws itself is that it has shown the help or the version.
    if (!(error instanceof CommanderError)) return await reported(session, error)
    if (error.exitCode === 0) return ExitCode.done
    return session.json ? await reported(session, usageError(INCOMPLETE)) : ExitCode.usage
  }
}

const INCOMPLETE = 'This command is not complete. See `rollcall --help`.'

/** A reader of standard output alone would take a part of the answer for the whole. */
const notWritten = async (cause: unknown): Promise<CliError> => {
  const { whyUnwritable } = await import('./whole-file.ts')
  const message = `Not all of the answer could be written to standard output. ${whyUnwritable(cause)}`
  return new CliError(message, { name: 'OutputNotWritten', exitCode: ExitCode.unusable, cause })
}

/** Writes the error to standard error; resolves with its exit code. */
const reported = async ({ json, stderr }: Session, thrown: unknown): Promise<number> => {
  const { error, message, details, exitCode, sentence = message, hasLines = false, trace } = failureOf(thrown)
  const shown = hasLines ? visibleLines(sentence) : visible(sentence)
  if (json) await stderr.write(`${visibleJson({ error, message, details })}\n`)
  else await stderr.write(`error: ${shown}\n${trace?.map((line) => `${visible(line)}\n`).join('') ?? ''}`)
  return exitCode
}

/** Commands on a resource; loaded only for the command line that names it: start-up time is felt. */
const NOUNS: Readonly<Record<string, readonly [summary: string, load: () => Promise<{ verbs: readonly Verb[] }>]>> = {
  user: ['List, show, put, suspend, delete, restore, import and export users', () => import('./commands/user.ts')],
  feed: ['List, show, put and delete feeds; print a sign-up form', () => import('./commands/feed.ts')],
  subscription: [
    'List, show, explain, confirm, end, erase, export and import subscriptions',
    () => import('./commands/subscription.ts'),
  ],
  recipient: ['List and check the recipients of a feed', () => import('./commands/recipient.ts')],
  suppression: ['List, lift, check and import suppressions', () => import('./commands/suppression.ts')],
  feedback: ['Decide on feedback that waits; take reports of mail servers', () => import('./commands/feedback.ts')],
  undeliverable: ['List and lift undeliverable addresses', () => import('./commands/undeliverable.ts')],
  event: ['List what happened', () => import('./commands/event.ts')],
  webhook: ['List, show, put, delete and rotate webhooks; send events again', () => import('./commands/webhook.ts')],
  token: ['Issue, list and revoke access tokens', () => import('./commands/token.ts')],
  key: ['Rotate the signing keys', () => import('./commands/key.ts')],
  secret: ['Rotate the keys that sign links', () => import('./commands/secret.ts')],
  mail: ['List and show mails that were written to files', () => import('./commands/mail.ts')],
  console: ['Log in to the console; list and end its sessions', () => import('./commands/console.ts')],
  outbox: ['List and retry undelivered mails and events', () => import('./commands/outbox.ts')],
  audit: ['Read and verify the audit trail', () => import('./commands/audit.ts')],
}

/** The program as commander knows it, with the verbs of the nouns that `argv` mentions. */
const createProgram = async (argv: readonly string[], session: Session): Promise<Command> => {
  const program = explained(
    new Command('rollcall'),
    'Subscriptions by confirmed opt-in, and permanent deletion of users',
  )
    .version(session.host.version, '-V, --version', 'print the version')
    .helpCommand(false)
    .configureOutput(outputOf(session))
    .configureHelp({
      styleTitle: (title) => styleText('bold', title, { validateStream: false }),
      showGlobalOptions: true,
      optionDescription: (option) => {
        const text = new Help().optionDescription(option)
        return option.mandatory ? `${text} (required)` : text
      },
      visibleGlobalOptions: ({ parent }) => (parent === null ? [] : [...GLOBAL_OPTIONS]),
      minWidthToWrap: NARROWEST,
      formatItem: itemOf,
    })
  addGlobalOptions(program, session)
  for (const verb of [serve, migrate, migrateData, backup, restore, doctor, stats]) addVerb(program, verb, session)
  addVerb(program, completion(createWholeProgram), session)
  for (const [name, [summary, load]] of Object.entries(NOUNS)) {
    const noun = explained(program.command(name), summary).helpCommand(false)
    if (argv.includes(name)) for (const verb of (await load()).verbs) addVerb(noun, verb, session)
    addExamples(noun, [`rollcall ${name} --help`, `rollcall help ${name}`])
  }
  addHelpCommand(program)
  addExamples(program, ['rollcall serve', 'rollcall user list', 'rollcall user delete --help'])
  return program
}

/** Characters: in a column that would be narrower, nobody can read. */
const NARROWEST = 24

/** An option or a command with what it does: beside it, or below it if there is no room. */
const itemOf = (term: string, termWidth: number, text: string, help: Help): string => {
  const width = help.helpWidth ?? 80
  if (text === '' || width - termWidth - 4 >= NARROWEST)
    return Help.prototype.formatItem.call(help, term, termWidth, text, help)
  return `  ${term}\n${help.boxWrap(text, width - 6).replaceAll(/^/gm, '      ')}`
}

/** The same with every noun loaded. */
const createWholeProgram = (session: Session): Promise<Command> => createProgram(Object.keys(NOUNS), session)

/** Of a noun, or of a verb: commander's own knows the first only. */
const addHelpCommand = (program: Command): void => {
  program
    .command('help')
    .argument('[command...]')
    .summary('show the help of a command')
    .helpOption(false)
    .action((path: readonly string[]) => {
      let command = program
      for (const name of path) {
        const found = command.commands.find((each) => each.name() === name || each.aliases().includes(name))
        if (found === undefined) {
          command.outputHelp(MISUSED)
          throw unknownCommand(command, name)
        }
        command = found
      }
      command.help()
    })
}

const MISUSED = { error: true } as const

const unknownCommand = (parent: Command, name: string): CliError => {
  const path = pathTo(parent)
  return usageError(`Unknown command '${path}${name}'. See \`rollcall ${path}--help\`.`)
}

/** The words that lead to it, each with a space behind. */
const pathTo = (command: Command): string => (command.parent ? `${pathTo(command.parent)}${command.name()} ` : '')

const outputOf = (session: Session) => ({
  writeOut: (text: string) => void session.stdout.write(text),
  // Help after a mistake; machines get the error as JSON instead.
  writeErr: (text: string) => void (session.json || session.stderr.write(text)),
  // Errors are thrown, and written where all errors are.
  outputError: () => undefined,
  getOutHelpWidth: () => session.stdout.width ?? 80,
  getErrHelpWidth: () => session.stderr.width ?? 80,
  getOutHasColors: () => session.colour,
  getErrHasColors: () => false,
})
