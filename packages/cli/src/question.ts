import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { type CliError, interrupted, refusedError, usageError } from './cli-error.ts'
import type { CliIo } from './cli-host.ts'
import { plainAddress } from './service/server-options.ts'
import type { Session } from './session.ts'
import { visible } from './texts.ts'

/** Whether there is a terminal, and it is not where the token is typed. */
export const canAsk = ({ io, remote }: Session): boolean => io.interactive && remote.tokenFile !== '-'

/** @throws {CliError} there is no terminal to ask on */
export const requireTerminal = (session: Session, todo = 'delete'): void => {
  if (!session.io.interactive)
    throw usageError(`There is no terminal to ask on. Add --yes to ${todo} without being asked.`)
  if (!canAsk(session))
    throw usageError(
      `The token comes from the terminal, so nothing can be asked there. Give --token-file a file, or add --yes to ${todo} without being asked.`,
    )
}

/**
 * To be asked before many records go without a question: a server that only the environment names may be another than
 * the one that is meant.
 * @throws {CliError} the command line does not say which server
 */
export const requireNamedServer = ({ remote: { server, implied } }: Session): void => {
  if (!implied || server === undefined) return
  const address = plainAddress(server)
  throw usageError(`With --yes, say on which server: add --server ${address} if you mean that of ROLLCALL_SERVER.`)
}

const sayWhere = async (session: Session): Promise<void> => {
  if (session.remote.implied) await session.note(`This is on the server ${session.remote.server} of ROLLCALL_SERVER.`)
}

/** @throws {CliError} the answer is no */
export const agree = async (session: Session, question: string, otherwise = NOTHING_DELETED): Promise<void> => {
  await sayWhere(session)
  if (!(await askYesOrNo(session.io, question))) throw declined(otherwise)
}

/** @throws {CliError} the number was not typed */
export const agreeToNumber = async (
  session: Session,
  number: number,
  question: string,
  otherwise = NOTHING_DELETED,
): Promise<void> => {
  await sayWhere(session)
  const { io } = session
  const message = visible(question)
  const { default: input } = await import('@inquirer/input')
  const typed = await asked(io, (context) => (io.dumb ? plainly(message, context) : input({ message }, context)))
  if (typed.trim() !== String(number)) throw declined(otherwise)
}

const NOTHING_DELETED = 'Nothing was deleted, because it was not confirmed.'

const declined = (message: string): CliError => refusedError('NotConfirmed', message)

/**
 * Asks on standard error, so that standard output holds the answer of the command alone.
 * @throws {CliError} Ctrl-C or Ctrl-D was pressed instead of answering
 */
const askYesOrNo = async (io: CliIo, question: string): Promise<boolean> => {
  const message = visible(question)
  if (io.dumb) return /^y(es)?$/i.test((await asked(io, (context) => plainly(`${message} (y/N)`, context))).trim())
  const { default: confirm } = await import('@inquirer/confirm')
  return await asked(io, (context) => confirm({ message, default: false }, context))
}

/** Without an escape sequence. */
const plainly = async (message: string, { input, output, signal }: PromptContext): Promise<string> => {
  const lines = createInterface({ input, output, terminal: false })
  try {
    return await lines.question(`${message} `, { signal })
  } finally {
    lines.close()
  }
}

interface PromptContext {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
  readonly signal: AbortSignal
}

const asked = async <Answer>(io: CliIo, ask: (context: PromptContext) => Promise<Answer>): Promise<Answer> => {
  // When the input ends without an answer (Ctrl-D), readline pauses it and the prompt would wait for ever.
  const ended = new AbortController()
  const end = (): void => ended.abort()
  const signs = ['pause', 'end', 'close']
  for (const sign of signs) io.stdin.once(sign, end)
  try {
    return await ask({ input: io.stdin, output: unending(io), signal: AbortSignal.any([io.signal, ended.signal]) })
  } catch (error) {
    if (error instanceof Error && UNANSWERED.has(error.name)) throw interrupted('Interrupted. Nothing was changed.')
    throw error
  } finally {
    for (const sign of signs) io.stdin.off(sign, end)
  }
}

const UNANSWERED = new Set(['AbortError', 'AbortPromptError', 'ExitPromptError'])

/** Standard error, but for its end: a prompt ends what it wrote to. */
const unending = ({ stderr }: CliIo): Writable =>
  Object.assign(
    new Writable({
      write: (chunk, _encoding, done) => {
        // Handed on at once: what the command writes next must come after it.
        stderr.write(chunk)
        done()
      },
    }),
    { isTTY: stderr.isTTY, columns: stderr.columns },
  )
