import { generate } from './generators/generate.ts'
import { type Input, KINDS, type Kind, ruleOf, type Violation } from './input.ts'
import { RequestLane, sendInput, sendStream } from './lanes/send-input.ts'
import { type OpenService, openService } from './open-service.ts'
import type { Options } from './options.ts'
import { reduced } from './reduce.ts'
import { inputsOf, keptSeeds } from './seeds.ts'
import { type HealthFigures, Watch } from './service/watch.ts'

const MOST_AT_ONCE = 12
/** For one rule and one kind of input; more would be the same. */
const MOST_ALIKE = 3
const REQUEST_ID = /^([a-z]+)-(\d+)$/

export interface FuzzReport extends HealthFigures {
  readonly seed: number
  readonly sent: number
  readonly seconds: number
  /** How often each status was answered. */
  readonly statuses: ReadonlyMap<number, number>
  readonly findings: readonly Violation[]
  /** For each violation the shortest input that breaks the same rule, where there is one. */
  readonly reductions: ReadonlyMap<Violation, Input>
}

type Order = Pick<Options, 'seed' | 'first' | 'inputs' | 'lanes' | 'store'>

/** Called for progress and for each finding at once, as a run may be interrupted. */
interface Listener {
  sent(count: number): void
  found(finding: Violation): void
}

const SILENT: Listener = { sent: () => undefined, found: () => undefined }

/** Sends every kept seed, and then the inputs with these numbers. */
export const runFuzz = async (order: Order, listener: Listener = SILENT): Promise<FuzzReport> => {
  const findings: Violation[] = []
  const counts = new Map<string, number>()
  const add = (finding: Violation): void => {
    const like = `${ruleOf(finding.problem)} ${finding.input?.kind}`
    counts.set(like, (counts.get(like) ?? 0) + 1)
    if ((counts.get(like) ?? 0) > MOST_ALIKE) return
    findings.push(finding)
    listener.found(finding)
  }
  let running: OpenService | undefined
  const logged = (problem: string, requestId: string | undefined): void => {
    add({ problem, input: running && inputNamed(order.seed, requestId, running) })
  }
  await using opened = await openService(order.store, logged)
  running = opened
  const watch = new Watch(opened.service, opened.guarded, (problem) => add({ problem, input: undefined }))
  const began = performance.now()
  watch.start()
  await sendSeeds(opened, add)
  const { sent, statuses } = await sendGenerated(order, opened, add, listener)
  const seconds = (performance.now() - began) / 1_000
  const figures = await watch.stop()
  const reductions = await reduceAll(opened, findings)
  if (opened.service.isRunning && (await opened.service.stop('SIGTERM')) !== 0)
    add({ problem: 'exit: SIGTERM did not end it with 0', input: undefined })
  return { ...figures, seed: order.seed, sent, seconds, statuses, findings, reductions }
}

const isKind = (text: string): text is Kind => KINDS.some((kind) => kind === text)

/** The input that a line of the log is about. */
const inputNamed = (seed: number, requestId: string | undefined, { around }: OpenService): Input | undefined => {
  const [, kind = '', number = ''] = REQUEST_ID.exec(requestId ?? '') ?? []
  return isKind(kind) ? generate(seed, Number(number), around) : undefined
}

const sendSeeds = async ({ service, around }: OpenService, add: (finding: Violation) => void): Promise<void> => {
  const inputs = keptSeeds().flatMap((seed) => inputsOf(seed, around.credentials.admin))
  for (const findings of await Promise.all(inputs.map((input) => sendInput(service.port, input)))) findings.forEach(add)
}

/** Stops early where the service has ended. */
const sendGenerated = async (
  { seed, first, inputs, lanes }: Order,
  { service, around }: OpenService,
  add: (finding: Violation) => void,
  listener: Listener,
): Promise<Pick<FuzzReport, 'sent' | 'statuses'>> => {
  const end = first + inputs
  let next = first
  const statuses = new Map<number, number>()
  const work = async (): Promise<void> => {
    const lane = new RequestLane(service.port)
    while (next < end && service.isRunning) {
      const from = next
      next = Math.min(end, from + 1 + (from % MOST_AT_ONCE))
      const batch = Array.from({ length: next - from }, (_, n) => generate(seed, from + n, around))
      const requests = batch.filter((input) => input.kind !== 'stream')
      const streams = batch.filter((input) => input.kind === 'stream')
      const sending = [lane.send(requests), ...streams.map((input) => sendStream(service.port, input))]
      for (const result of await Promise.allSettled(sending)) {
        if (result.status === 'fulfilled') result.value.forEach(add)
        else if (service.isRunning) add({ problem: `connect: ${result.reason}`, input: batch[0] })
      }
      listener.sent(next - first)
    }
    lane.close()
    for (const [status, count] of lane.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count)
  }
  await Promise.all(Array.from({ length: lanes }, work))
  return { sent: next - first, statuses }
}

/** For each rule, reduces the first finding that can be repeated. */
const reduceAll = async ({ service }: OpenService, findings: readonly Violation[]): Promise<Map<Violation, Input>> => {
  const reductions = new Map<Violation, Input>()
  const done = new Set<string>()
  for (const finding of findings) {
    const rule = ruleOf(finding.problem)
    if (done.has(rule) || !service.isRunning) continue
    const input = await reduced(service.port, finding)
    if (input === undefined) continue
    reductions.set(finding, input)
    done.add(rule)
  }
  return reductions
}
