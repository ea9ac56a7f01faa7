import { setImmediate as nextTurnOfTheLoop, setTimeout as sleep } from 'node:timers/promises'
import { answersIn, fieldOf } from '../answers/answer.ts'
import { checkAnswer } from '../answers/check-answer.ts'
import type { Input, RequestInput, StreamInput, Violation } from '../input.ts'
import { Connection } from './connection.ts'

/** Sends requests one behind the other over connections that are kept, and judges the answers. */
export class RequestLane {
  /** How often it was answered with which. */
  readonly statuses = new Map<number, number>()
  readonly #port: number
  readonly #patience: number | undefined
  #connection: Connection | undefined

  constructor(port: number, patience?: number) {
    this.#port = port
    this.#patience = patience
  }

  /**
   * Sends all at once. What came after an answer that closed the connection is sent again, until each has its answer.
   * @throws whatever the system says where nobody listens any more
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
      // Alone on its connection, it had nothing before it that could have taken its answer away.
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

  // Whichever of many was at fault: from there on, each goes alone.
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

/** Long enough that the service has read what was written. */
const PAUSE = 5
/** Milliseconds for which the service listens to who goes on although it was answered. Whoever halts longer is reset. */
const LINGER = 1_000
// Blank lines in front of a request are to be ignored (RFC 9112 section 2.2).
const SAYS_SOMETHING = /[^\r\n]/

/** Writes the bytes to a connection of their own, and judges whatever comes back until the service closes it. */
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
