import { setImmediate as nextTurnOfTheLoop, setTimeout as sleep } from 'node:timers/promises'
import { answersIn, fieldOf } from '../answers/answer.ts'
import { checkAnswer } from '../answers/check-answer.ts'
import type { Input, RequestInput, StreamInput, Violation } from '../input.ts'
import { Connection } from './connection.ts'

/** Sends pipelined requests over kept connections, and checks the answers. */
export class RequestLane {
  /** How often each status was answered. */
  readonly statuses = new Map<number, number>()
  readonly #port: number
  readonly #patience: number | undefined
  #connection: Connection | undefined

  constructor(port: number, patience?: number) {
    this.#port = port
    this.#patience = patience
  }

  /**
   * Sends all at once. Requests after an answer that closed the connection are sent again, until each has an answer.
   * @throws {Error} the service does not listen any more
   */
  async send(inputs: readonly RequestInput[]): Promise<Violation[]> {
    const findings: Violation[] = []
    for (let left = inputs; left.length > 0; ) {
      const fresh = this.#connection?.isOpen !== true
      const connection = await this.#open()
      connection.write(Buffer.concat(left.map(({ bytes }) => bytes)))
      const { answers, end, problem } = await connection.receive(left.map(({ method }) => method))
      const [first] = left
      answers.forEach((answer, n) => {
        const input = left[n]
        this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1)
        for (const broken of checkAnswer(answer, input)) findings.push({ problem: broken, input })
      })
      if (problem !== undefined) findings.push({ problem: `not-http: ${problem}`, input: left[answers.length] })
      else if (end === 'silent') findings.push({ problem: 'hang: no answer', input: left[answers.length] })
      // Alone on its connection, no other request can have caused this.
      else if (end === 'closed' && answers.length === 0 && left.length === 1 && fresh)
        findings.push({ problem: 'closed: no answer, and the connection was closed', input: first })
      const stuck = problem !== undefined || end === 'silent' || (end === 'closed' && answers.length === 0)
      const last = answers.at(-1)
      if (end !== undefined || problem !== undefined || (last && fieldOf(last, 'connection') === 'close')) this.close()
      left = await this.#rest(left, answers.length, { stuck, fresh }, findings)
    }
    return findings
  }

  close(): void {
    this.#connection?.close()
    this.#connection = undefined
  }

  // To find out which one is the cause, each is sent alone from here on.
  async #rest(
    left: readonly RequestInput[],
    answered: number,
    { stuck, fresh }: { readonly stuck: boolean; readonly fresh: boolean },
    findings: Violation[],
  ): Promise<readonly RequestInput[]> {
    if (!stuck) return left.slice(answered)
    if (left.length === 1) return fresh ? [] : left
    for (const input of left.slice(answered)) findings.push(...(await this.send([input])))
    return []
  }

  async #open(): Promise<Connection> {
    if (this.#connection?.isOpen !== true) this.#connection = await Connection.open(this.#port, this.#patience)
    return this.#connection
  }
}

/** Milliseconds, enough for the service to read what was written. */
const PAUSE = 5
/** Milliseconds for which the service reads on after its answer. A client that pauses longer is reset. */
const LINGER = 2_000
// Blank lines in front of a request are to be ignored (RFC 9112 section 2.2).
const SAYS_SOMETHING = /[^\r\n]/

/** Writes the bytes to a connection of their own, and checks everything that comes back until the service closes it. */
export const sendStream = async (port: number, input: StreamInput, patience?: number): Promise<Violation[]> => {
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
      return [{ problem: 'silence: no answer', input }]
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
    // In a turn of its own, so that the system sends each piece separately.
    if (at + step < bytes.length) await (way === 'halves' ? sleep(PAUSE) : nextTurnOfTheLoop())
  }
}

/** One input on a connection of its own. `patience` in milliseconds. */
export const sendInput = async (port: number, input: Input, patience?: number): Promise<Violation[]> => {
  if (input.kind === 'stream') return await sendStream(port, input, patience)
  const lane = new RequestLane(port, patience)
  try {
    return await lane.send([input])
  } finally {
    lane.close()
  }
}
