import { IMPORTED_CAUSES } from '@rollcall/core'
import { parseDuration } from '@rollcall/platform-node'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { usageError } from './cli-error.ts'
import { requireConsistent, type ServerOptions, withDefaults } from './service/server-options.ts'
import type { Session } from './session.ts'

export const JSON_OPTION = new Option('--json', 'print JSON, for machines')

/** What may stand anywhere on a command line. */
export const GLOBAL_OPTIONS: readonly Option[] = [
  JSON_OPTION,
  new Option(
    '--server <url>',
    'run the command over HTTP on that server instead of this machine (default: ROLLCALL_SERVER, if set); reads wait for an answer for one minute at most',
  ),
  new Option(
    '--token-file <file>',
    'its access token is in this file, which only you may read (default: ROLLCALL_TOKEN_FILE); - is standard input',
  ),
  new Option('--token <token>', 'the token itself: others who can list the processes of this machine can read it'),
  new Option('--insecure-http', 'allow plain http, where others on the network can read the token'),
]

/** Lets them stand before and after the words of the command. */
export const addGlobalOptions = (program: Command, session: Session): void => {
  for (const option of GLOBAL_OPTIONS) program.addOption(option)
  program.hook('preAction', (_program, command) => {
    const { json = false, ...remote } = program.opts<ServerOptions & { readonly json?: boolean }>()
    session.json = json
    session.remote = withDefaults(withoutOwnToken(remote, command), session.host.remoteDefaults())
    requireConsistent(session.remote)
    if (session.remote.tokenFile === '-' && [...command.args, ...Object.values(command.opts())].includes('-'))
      throw usageError('Only one thing can come from standard input. Give --token-file the name of a file.')
  })
}

/** A command with a `--token` of its own gets it: commander has taken it for that of a server. */
const withoutOwnToken = ({ token, ...others }: ServerOptions, command: Command): ServerOptions => {
  if (token === undefined) return others
  if (!command.options.some(({ long }) => long === '--token')) return { ...others, token }
  command.setOptionValue('token', token)
  return others
}

/** Parser of an option's value: a whole number in decimal digits, within limits; the error names them. */
export const wholeNumber =
  (least: number, most = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
    if (number >= least && number <= most) return number
    const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `from ${least} to ${most}`
    throw new InvalidArgumentError(`Give a whole number, ${range}.`)
  }

/** Parser of an option's value: a duration, in seconds. */
export const duration = (text: string): number => {
  const milliseconds = parseDuration(text)
  if (milliseconds === undefined) throw new InvalidArgumentError('Give a duration such as 90s, 15m, 1h or 7d.')
  return milliseconds / 1_000
}

/** Parser of an option that may be given several times. */
export const collected = (text: string, before: readonly string[] = []): readonly string[] => [...before, text]

/** Parser of an option that may be given several times, each time with another word before the `=`. */
const pairs =
  (pattern: RegExp, advice: string) =>
  (text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => {
    const found = pattern.exec(text)
    const [, word = '', value = ''] = found ?? []
    if (found === null || Object.hasOwn(before, word)) throw new InvalidArgumentError(advice)
    return { ...before, [word]: value }
  }

/** What a field is called in a file. */
export const fieldNames = pairs(/^([a-z][a-z0-9_]*)=(.+)$/, 'Write it as email="E-Mail", and give each field once.')

/** What a word means that a file has for a status. */
export const statusMeanings = pairs(
  /^(.*)=(pending|confirmed|ended)$/s,
  'Write it as unsubscribed=ended, with pending, confirmed or ended, and give each word once.',
)

/** What a word means that a list has for a cause; alone, that of all rows. */
export const causeMeanings = pairs(
  new RegExp(`^(?:(.+)=)?(${IMPORTED_CAUSES.join('|')})$`, 's'),
  `Write it as bounce, or as HardBounce=bounce, with ${IMPORTED_CAUSES.join(', ')}, and give each word once.`,
)

/** What becomes of the subscriptions of something that is deleted. */
export const fateOption = (description: string): Option =>
  new Option('--subscriptions <fate>', description).choices(['keep', 'erase'])

/** The value of an option that would drop all but the last. */
export const once = (value: string, before: string | undefined): string => {
  if (before !== undefined) throw new InvalidArgumentError('Give it once; several lists are several commands.')
  return value
}
