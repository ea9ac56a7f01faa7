import { type Command, type CommanderError, Help } from 'commander'
import { onlyHereError, usageError } from './cli-error.ts'
import { JSON_OPTION } from './options.ts'
import type { Session } from './session.ts'
import { aliasesOf, suggestionsFor } from './words.ts'

export interface Verb {
  readonly name: string
  /** A line in the list of commands, and the first of its own help. */
  readonly summary: string
  /** Whatever else is to be known before using it. */
  readonly details?: string
  /** Set if only the machine of the service can do it; what it does, as a subject: `Rotating keys`. */
  readonly onlyHere?: string
  /** Whether it needs no service at all, with these options: then ROLLCALL_SERVER means nothing to it. */
  readonly needsNoService?: (options: { readonly verify?: boolean }) => boolean
  /** At least one, as it would be typed. */
  readonly examples: readonly [string, ...string[]]
  /** Adds arguments, options and action. */
  define(command: Command, session: Session): void
}

export const addVerb = (parent: Command, verb: Verb, session: Session): void => {
  const { name, summary, details, examples, onlyHere, needsNoService } = verb
  const command = explained(parent.command(name).aliases(aliasesOf(name)), summary, details)
  verb.define(command, session)
  if (onlyHere !== undefined) keepHere(command, session, onlyHere, needsNoService)
  addNote(command, session, EXIT_CODES)
  addExamples(command, examples)
}

const EXIT_CODES =
  'Exit codes: 0 done; 1 unexpected; 2 usage; 3 refused, not found, or a check failed; 4 configuration, storage or a ' +
  'file not usable; 130 interrupted.'

const HERE = 'Runs on the machine of the service only: not with --server or ROLLCALL_SERVER.'

const addNote = (command: Command, { stdout }: Session, note: string): void => {
  command.addHelpText('after', () => `\n${new Help().boxWrap(note, stdout.width ?? 80)}`)
}

const keepHere = (
  command: Command,
  session: Session,
  what: string,
  needsNoService: Verb['needsNoService'] = () => false,
): void => {
  if (!needsNoService({})) addNote(command, session, HERE)
  command
    .configureHelp({ ...command.configureHelp(), visibleGlobalOptions: () => [JSON_OPTION] })
    .hook('preAction', () => {
      const { server, implied } = session.remote
      if (server === undefined) return
      if (!needsNoService(command.opts())) throw onlyHereError(what, implied ? 'ROLLCALL_SERVER' : '--server')
      if (!implied) throw usageError(`${what} needs no server. Leave out --server.`)
    })
}

/** Gives the command its help text, and usage errors that name it. */
export const explained = (command: Command, summary: string, details?: string): Command =>
  command
    .summary(summary)
    .description(details === undefined ? `${summary}.` : `${summary}.\n\n${details}`)
    .helpOption('-h, --help', 'show this help')
    .exitOverride((error) => {
      throw misused(command, error)
    })

export const addExamples = (command: Command, examples: readonly string[]): void => {
  command.addHelpText('after', `\nExamples:\n${examples.map((example) => `  $ ${example}`).join('\n')}`)
}

const misused = (command: Command, error: CommanderError): Error => {
  // Help and version end here, too; they are not errors of the user.
  if (!error.message.startsWith('error: ')) return error
  const [problem = '', near = ''] = error.message.slice('error: '.length).split('\n')
  const sentences = [sentence(problem), suggestion(command, problem, near), `See \`${fullName(command)} --help\`.`]
  return usageError(sentences.filter((part) => part !== undefined).join(' '), { cause: error })
}

/** Commander's own names the nearest words, be they the opposite of what was meant. */
const suggestion = ({ commands }: Command, problem: string, near: string): string | undefined => {
  const [, word] = /^unknown (?:command|option) '(.*)'$/s.exec(problem) ?? []
  if (word === undefined) return undefined
  const [, nearest] = /^\(Did you mean (?:one of )?(.*)\?\)$/.exec(near) ?? []
  const names = commands.map((each) => each.name())
  const ours = nearest?.split(', ').filter((each) => each.startsWith('-') || names.includes(each))
  const found = suggestionsFor(word, ours ?? [])
  return found.length === 0 ? undefined : `Did you mean ${found.length > 1 ? 'one of ' : ''}${found.join(', ')}?`
}

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? '' : '.'}`

const fullName = (command: Command): string =>
  command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name()
