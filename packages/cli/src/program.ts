import { styleText } from 'node:util'
import { Command, Help } from 'commander'
import { backup } from './commands/backup.ts'
import { completion } from './commands/completion.ts'
import { doctor } from './commands/doctor.ts'
import { migrate } from './commands/migrate.ts'
import { migrateData } from './commands/migrate-data.ts'
import { restore } from './commands/restore.ts'
import { serve } from './commands/serve.ts'
import { addGlobalOptions, GLOBAL_OPTIONS } from './global-options.ts'
import type { Session } from './session.ts'
import { addExamples, addVerb, explained, type Verb } from './verb.ts'

interface Noun {
  readonly name: string
  readonly summary: string
  readonly verbs: () => Promise<readonly Verb[]>
}

const NOUNS: readonly Noun[] = [
  {
    name: 'user',
    summary: 'List, show, put, delete, restore and export users',
    verbs: async () => (await import('./commands/user.ts')).user,
  },
  {
    name: 'feed',
    summary: 'List, put and delete feeds',
    verbs: async () => (await import('./commands/feed.ts')).feed,
  },
  {
    name: 'subscription',
    summary: 'List, show, confirm, end, erase, export and import subscriptions',
    verbs: async () => (await import('./commands/subscription.ts')).subscription,
  },
  {
    name: 'suppression',
    summary: 'List and lift suppressions',
    verbs: async () => (await import('./commands/suppression.ts')).suppression,
  },
  {
    name: 'event',
    summary: 'List what happened',
    verbs: async () => [(await import('./commands/event-list.ts')).eventList],
  },
  {
    name: 'webhook',
    summary: 'List, show, put, delete and rotate webhooks; send events again',
    verbs: async () => (await import('./commands/webhook.ts')).webhook,
  },
  {
    name: 'token',
    summary: 'Issue access tokens',
    verbs: async () => [(await import('./commands/token-issue.ts')).tokenIssue],
  },
  {
    name: 'key',
    summary: 'Rotate the signing keys',
    verbs: async () => [(await import('./commands/key-rotate.ts')).keyRotate],
  },
  {
    name: 'outbox',
    summary: 'List and retry undelivered mails and events',
    verbs: async () => (await import('./commands/outbox.ts')).outbox,
  },
  {
    name: 'audit',
    summary: 'Read and verify the audit trail',
    verbs: async () => (await import('./commands/audit.ts')).audit,
  },
]

/** The program as commander knows it. Only the nouns that `argv` mentions are loaded: start-up time is felt. */
export const createProgram = async (argv: readonly string[], session: Session): Promise<Command> => {
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
    })
  addGlobalOptions(program, session)
  for (const verb of [serve, migrate, migrateData, backup, restore, doctor]) addVerb(program, verb, session)
  addVerb(program, completion(createWholeProgram), session)
  for (const { name, summary, verbs } of NOUNS) {
    const noun = explained(program.command(name), summary).helpCommand(false)
    if (argv.includes(name)) for (const verb of await verbs()) addVerb(noun, verb, session)
    addExamples(noun, [`rollcall ${name} --help`, `rollcall help ${name}`])
  }
  addHelpCommand(program)
  addExamples(program, ['rollcall serve', 'rollcall user list', 'rollcall user delete --help'])
  return program
}

/** The same with every noun loaded. */
export const createWholeProgram = (session: Session): Promise<Command> =>
  createProgram(
    NOUNS.map(({ name }) => name),
    session,
  )

/** Of a noun, or of a verb: commander's own knows the first only. */
const addHelpCommand = (program: Command): void => {
  program
    .command('help')
    .argument('[command...]')
    .summary('show the help of a command')
    .helpOption(false)
    .action((path: readonly string[]) => {
      let command = program
      for (const name of path) command = command.commands.find((each) => each.name() === name) ?? command.help(MISUSED)
      command.help()
    })
}

const MISUSED = { error: true } as const

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
