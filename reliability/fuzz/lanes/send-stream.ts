import { setImmediate as nextTurnOfTheLoop, setTimeout as sleep } from 'node:timers/promises'
import { answersIn } from '../answers/answers-in.ts'
import { checkAnswer } from '../answers/check-answer.ts'
import type { Finding } from '../finding.ts'
import type { StreamInput } from '../input.ts'
import { Connection } from './connection.ts'

/** Long enough that the service has read what was written. */
const PAUSE = 5
/** Milliseconds for which the service listens to who goes on although it was answered. Whoever halts longer is reset. */
const LINGER = 1_000
// Blank lines in front of a request are to be ignored (RFC 9112 section 2.2).
const SAYS_SOMETHING = /[^\r\n]/

/** Writes the bytes to a connection of their own, and judges whatever comes back until the service closes it. */
export const sendStream = async (port: number, input: StreamInput, patience?: number): Promise<Finding[]> => {
  const connection = await Connection.open(port, patience)
  try {
    const began = performance.now()
    await write(connection, input)
    const halted = performance.now() - began > LINGER
    if (input.ending === 'reset') {
      await sleep(PAUSE)
      connection.reset()
      return []
    }
    connection.halfClose()
    const received = await connection.receiveAll()
    if (received === undefined) return [{ problem: 'hang: the connection stays open', input }]
    const answers = answersIn(received)
    if (answers.length === 0 && !halted && SAYS_SOMETHING.test(input.bytes.toString('latin1')))
      return [{ problem: 'silence: not a word', input }]
    return answers.flatMap(({ answer, isBare }) =>
      checkAnswer(answer, undefined, isBare).map((problem) => ({ problem, input })),
    )
  } catch (error) {
    if (error instanceof Error && error.name === 'NotAnAnswer') return [{ problem: `not-http: ${error}`, input }]
    throw error
  } finally {
    connection.close()
  }
}

const write = async (connection: Connection, { bytes, way }: StreamInput): Promise<void> => {
  const half = bytes.length >> 1
  const step = way === 'bytes' ? 1 : way === 'halves' ? half || 1 : bytes.length || 1
  for (let at = 0; at < bytes.length && connection.isOpen; at += step) {
    connection.write(bytes.subarray(at, at + step))
    // A turn of its own for each: so the system sends each for itself.
    if (at + step < bytes.length) await (way === 'halves' ? sleep(PAUSE) : nextTurnOfTheLoop())
  }
}
