import type { Config } from './config.ts'
import { type FoldedWarnings, foldWarnings } from './fold-warnings.ts'

type Write = (fields: object | string, message?: string) => void

/** What the service says of itself. Fields hold no personal data, ever. */
export interface Log {
  readonly debug: Write
  readonly info: Write
  readonly warn: Write
  readonly error: Write
  readonly isLevelEnabled: (level: string) => boolean
}

const nothing: Write = () => undefined

export const silentLog: Log = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  isLevelEnabled: () => false,
}

/** For the command line, which speaks for itself; only what went wrong on the way is said. */
export const commandLog: Log = {
  ...silentLog,
  error: (_fields, message) => {
    process.stderr.write(`warning: ${message}\n`)
  },
}

/** For a person if standard output is a terminal, for a machine elsewhere. */
export const logFormat = (configured: Config['LOG_FORMAT']): 'pretty' | 'json' =>
  configured ?? (process.stdout.isTTY ? 'pretty' : 'json')

/** A log that folds equal warnings, but no errors: a client may report the id of one. */
export const folded = (log: Log): Log & Pick<FoldedWarnings, 'flush'> => ({
  ...foldWarnings((fields, message) => log.warn(fields, message)),
  debug: (fields, message) => log.debug(fields, message),
  info: (fields, message) => log.info(fields, message),
  error: (fields, message) => log.error(fields, message),
  isLevelEnabled: (level) => log.isLevelEnabled(level),
})

/**
 * The log, on standard output: one JSON object a line, or lines for a person if that is a terminal. Equal warnings
 * are folded; `flush` at the end writes the counts that have no line yet.
 */
export const createLog = async (config: Config): Promise<ReturnType<typeof folded>> =>
  folded(await createUnfoldedLog(config))

/** Bytes of lines that wait for room on the disk; those behind them are lost. */
const MOST_KEPT = 1024 * 1024

const createUnfoldedLog = async ({ LOG_LEVEL, LOG_FORMAT, noColor }: Config): Promise<Log> => {
  const { pino } = await import('pino')
  const formatters = { level: (level: string) => ({ level }) }
  const options = { level: LOG_LEVEL, base: undefined, timestamp: pino.stdTimeFunctions.isoTime, formatters }
  const output = pino.destination({ fd: 1, sync: true, maxLength: MOST_KEPT })
  // A full disk takes the lines, not the service.
  output.on('error', () => undefined)
  // pino's own type has an index signature, in which the compiler sees a `then`.
  const json: Log = pino(options, output)
  if (logFormat(LOG_FORMAT) === 'json') return json
  const { prettyFactory } = await import('pino-pretty')
  const colorize = process.stdout.isTTY && !noColor
  const pretty = prettyFactory({ colorize, translateTime: 'SYS:HH:MM:ss.l' })
  const forPeople: Log = pino(options, { write: (line) => output.write(pretty(line)) })
  return forPeople
}
