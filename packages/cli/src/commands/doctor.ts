import type { Readable } from 'node:stream'
import { styleText } from 'node:util'
import { ExitCode, usageError } from '../cli-error.ts'
import type { Diagnosis, DiagnosisOptions } from '../cli-host.ts'
import { readTokenFile, tokenFileProblem, whyUnreadable } from '../input-file.ts'
import type { Session } from '../session.ts'
import { visible, visibleJson } from '../texts.ts'
import type { Verb } from '../verb.ts'

type Status = Diagnosis['status']

const COLOURS = { ok: 'green', warning: 'yellow', failed: 'red' } as const satisfies Record<Status, string>
const WIDEST = 'warning'.length

const RULES =
  'Looks at settings, data folder, database, secret, keys or identity provider, audit trail, outbox, clock, mail relay, ' +
  'bounce mailbox, addresses, limits and the running server, and says what to do. Nothing is changed, and nothing secret is shown; ' +
  'only --send-to sends a mail. With --token, it says why an access token is or would be refused, without showing it. ' +
  'Exit code 3 says that something failed, warnings alone are 0; 4, that the ' +
  'configuration cannot be used.'

export const doctor: Verb = {
  name: 'doctor',
  summary: 'Check everything that the service needs',
  details: RULES,
  onlyHere: 'A check-up',
  examples: [
    'rollcall doctor',
    'rollcall doctor --send-to ops@example.com',
    'rollcall doctor --token token.txt',
    'rollcall doctor --json',
  ],
  define: (command, session) =>
    command
      .option('--send-to <address>', 'send a test mail there, too')
      .option('--token <file>', 'explain the access token in this file; - is standard input')
      .action(async ({ sendTo, token: file }: DoctorOptions) => {
        const token = file === undefined ? undefined : await tokenIn(file, session.io.stdin)
        await examine(session, diagnoses(session, { sendTo, token }, file))
      }),
}

interface DoctorOptions {
  readonly sendTo?: string
  readonly token?: string
}

/** @throws {CliError} it cannot be read; the message does not repeat the name, which may be a token by mistake */
const tokenIn = async (file: string, stdin: Readable): Promise<string> => {
  try {
    return (await readTokenFile(file, stdin)).trim()
  } catch (error) {
    const reason = error instanceof Error ? whyUnreadable(error.cause) : undefined
    throw usageError(
      `--token: give the name of a file that holds one access token. ${reason ?? 'This cannot be read.'}`,
    )
  }
}

async function* diagnoses(
  { host }: Session,
  options: DiagnosisOptions,
  tokenFile: string | undefined,
): AsyncGenerator<Diagnosis> {
  const problem = tokenFile === undefined || tokenFile === '-' ? undefined : await tokenFileProblem(tokenFile)
  if (problem !== undefined)
    yield { check: 'token file', status: 'warning', message: problem.message, remedy: problem.remedy }
  yield* host.diagnose(options)
}

const examine = async (session: Session, found: AsyncIterable<Diagnosis>): Promise<void> => {
  const counts: Record<Status, number> = { ok: 0, warning: 0, failed: 0 }
  let opening = '{"checks":[\n'
  try {
    for await (const diagnosis of found) {
      session.throwIfInterrupted()
      counts[diagnosis.status]++
      if (session.json) await session.stdout.write(`${opening}${jsonOf(diagnosis)}`)
      else await session.stdout.write(`${lineOf(diagnosis, session.colour)}\n`)
      opening = ',\n'
    }
  } finally {
    const rest = `\n],"ok":${counts.ok},"warnings":${counts.warning},"failed":${counts.failed}}\n`
    if (session.json && opening === ',\n') await session.stdout.write(rest)
  }
  if (counts.failed > 0) session.exitCode = ExitCode.refused
}

const jsonOf = ({ check, status, message, remedy }: Diagnosis): string =>
  visibleJson({ check, status, message, remedy: remedy ?? null })

const lineOf = ({ check, status, message, remedy }: Diagnosis, colour: boolean): string => {
  const padded = status.padEnd(WIDEST)
  const word = colour ? styleText(COLOURS[status], padded, { validateStream: false }) : padded
  return `${word}  ${visible(`${check}: ${message}${remedy === undefined ? '' : ` ${remedy}`}`)}`
}
