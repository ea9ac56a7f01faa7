import fc, { type Arbitrary } from 'fast-check'
import type { Program } from '../shared/service.ts'
import { PATIENCE } from './exchange.ts'
import { lookAfter, openFuzzed } from './fuzzed-service.ts'
import { anyInput } from './inputs.ts'
import { type Input, tried } from './rules.ts'

/** A broken rule. */
export interface Finding {
  /** The text before the first colon names the rule. */
  readonly problem: string
  /** The smallest that was found to break it; undefined if it cannot be identified. */
  readonly input: Input | undefined
}

const ruleOf = (problem: string): string => problem.slice(0, problem.indexOf(':'))

/** Milliseconds for making a finding smaller, and for each try of that: reducing a hang must not take an hour. */
const REDUCING = 60_000
const IMPATIENT = 1_500
/** For one rule; more would be the same. */
const MOST_ALIKE = 3
/** Of requests whose lines in the log may yet come. */
const REMEMBERED = 20_000

interface FuzzOrder {
  readonly program: Program
  readonly seed: number
  readonly inputs: number
  readonly lanes: number
  /** Called with how many were sent, and each finding at once: a run may be interrupted. */
  readonly progress?: (sent: number, finding?: Finding) => void
}

/** Sends one input after the other, until one breaks a rule; then smaller ones that break the same rule. */
export const lane = async (
  port: number,
  inputsOfLane: Arbitrary<Input>,
  { seed, inputs }: Pick<FuzzOrder, 'seed' | 'inputs'>,
  sending: (input: Input) => void = () => undefined,
  answered: (statuses: readonly number[]) => void = () => undefined,
): Promise<Finding | undefined> => {
  let rule: string | undefined
  let until = Number.POSITIVE_INFINITY
  let smallest: Finding | undefined
  const property = fc.asyncProperty(inputsOfLane, async (input) => {
    if (performance.now() > until) return
    sending(input)
    const { problems, statuses } = await tried(port, input, rule === undefined ? PATIENCE : IMPATIENT)
    answered(statuses)
    const problem = rule === undefined ? problems[0] : problems.find((one) => ruleOf(one) === rule)
    if (problem === undefined) return
    if (rule === undefined) until = performance.now() + REDUCING
    rule = ruleOf(problem)
    smallest = { problem, input }
    throw new Error(problem)
  })
  const { failed, errorInstance } = await fc.check(property, { seed, numRuns: inputs })
  // That the service does not listen any more is no rule of an answer.
  return failed && smallest === undefined ? { problem: `connect: ${errorInstance}`, input: undefined } : smallest
}

interface FuzzReport {
  readonly sent: number
  /** How often each status was answered. */
  readonly statuses: ReadonlyMap<number, number>
  readonly findings: readonly Finding[]
  readonly slowest: number
  readonly megabytes: number
}

const SEED = {
  kind: 'stream',
  ending: 'half-close',
  isRequest: false,
  requestId: undefined,
  expected: undefined,
} as const

/** Sends every kept seed in every way, and then generated inputs, over so many connections at once. */
export const runFuzz = async ({ program, seed, inputs, lanes, progress }: FuzzOrder): Promise<FuzzReport> => {
  const findings: Finding[] = []
  const counts = new Map<string, number>()
  const statuses = new Map<number, number>()
  const recent = new Map<string, Input>()
  let sent = 0
  const add = (finding: Finding): void => {
    const rule = ruleOf(finding.problem)
    counts.set(rule, (counts.get(rule) ?? 0) + 1)
    if ((counts.get(rule) ?? 0) > MOST_ALIKE) return
    findings.push(finding)
    progress?.(sent, finding)
  }
  const found = (problem: string, requestId = ''): void => add({ problem, input: recent.get(requestId) })
  await using service = await openFuzzed(program, found)
  const { around } = service
  const { port } = service.target
  const over = new AbortController()
  const looking = lookAfter(service, found, over.signal)
  for (const bytes of around.seeds)
    for (const way of ['whole', 'halves', 'bytes'] as const) {
      const input: Input = { ...SEED, bytes, way }
      for (const problem of (await tried(port, input)).problems) add({ problem, input })
    }
  const sending = (input: Input): void => {
    sent++
    progress?.(sent)
    if (input.requestId === undefined) return
    recent.set(input.requestId, input)
    if (recent.size > REMEMBERED) recent.delete(recent.keys().next().value ?? '')
  }
  const answered = (all: readonly number[]): void => {
    for (const status of all) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  const work = async (n: number): Promise<void> => {
    const order = { seed: seed + n, inputs: Math.ceil(inputs / lanes) }
    const finding = await lane(port, anyInput(around), order, sending, answered)
    if (finding !== undefined) add(finding)
  }
  await Promise.all(Array.from({ length: lanes }, (_, n) => work(n)))
  over.abort()
  const health = await looking
  if (service.target.service.isRunning && (await service.stop()) !== 0)
    add({ problem: 'exit: SIGTERM did not end it with 0', input: undefined })
  return { ...health, sent, statuses, findings }
}
