import { fieldOf } from '../answers/answer.ts'
import { checkAnswer } from '../answers/check-answer.ts'
import type { Finding } from '../finding.ts'
import type { RequestInput } from '../input.ts'
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
  async send(inputs: readonly RequestInput[]): Promise<Finding[]> {
    const findings: Finding[] = []
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
    findings: Finding[],
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
