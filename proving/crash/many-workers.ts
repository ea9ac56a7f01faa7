import { setTimeout as sleep } from 'node:timers/promises'
import type { Finding } from '../shared/finding.ts'
import { Fixture } from '../shared/fixture.ts'
import { Random } from '../shared/random.ts'
import { Relay } from '../shared/relay.ts'
import { owedTo, Scenario } from '../shared/scenario.ts'
import type { Home, Program, Service } from '../shared/service.ts'

interface ManyWorkersOrder {
  /** Of a PostgreSQL server. */
  readonly server: string
  readonly mails: number
  readonly workers: number
  readonly seed: number
  readonly program?: Program | undefined
  readonly log?: ((line: string) => void) | undefined
}

interface WorkersFigures {
  readonly delivered: number
  /** By the worker that was killed and once more by another: its window. */
  readonly again: number
  /** Seconds from the kill until nothing was owed but what waits for the cap of its address. */
  readonly takenOverIn: number
}

/** So many mails may be with the relay when a process dies. */
const MOST_IN_HAND = 30
/** Milliseconds without a mail: the lease of a dead worker, for which its mails wait, takes 60 seconds at most. */
const STALLED = 90_000
const AT_ONCE = 40

/** Several instances deliver one outbox on PostgreSQL; one of them is killed in the middle of it. */
export const runManyWorkers = async (order: ManyWorkersOrder) => {
  const { server, mails, workers, program, log = () => undefined } = order
  await using fixture = await Fixture.create({ store: 'postgres', server, program })
  const scenario = new Scenario(fixture, new Random(order.seed), 1, { awaitsCopies: false })
  const { ledger, home } = fixture
  const first = await scenario.begin()
  if (first === undefined) throw new Error(ledger.findings.at(-1)?.message)
  // Each worker has a relay of its own, so that it is known who sent what. That of the first accepts nothing meanwhile.
  fixture.relay.decide = (step) => (step === 'connect' ? { act: 'hang' } : undefined)
  const sent = new Map<string, number>()
  let again = 0
  let lastMail = performance.now()
  const twice: string[] = []
  const parts: { home: Home; relay: Relay; service: Service }[] = []
  try {
    for (let n = 0; n < workers; n++) {
      const relay = await Relay.open((mail) => {
        const before = sent.get(mail.messageId)
        lastMail = performance.now()
        if (before === undefined) sent.set(mail.messageId, n)
        // The first to be killed is number 0, and may not have said what it did.
        else if (before !== 0) twice.push(mail.messageId)
        if (before === undefined) ledger.received(mail)
        else again++
      })
      relay.delay = 4
      const beside = await home.beside({ SMTP_URL: relay.url })
      parts.push({ home: beside, relay, service: fixture.beginIn(beside, 'serve') })
    }
    await signUp(fixture, mails)
    log(`${sent.size} of ${mails} mails before the kill`)
    await parts[0]?.service.kill()
    const killedAt = performance.now()
    let late = owedTo(ledger)
    let waiting: ReadonlySet<number | undefined> = new Set()
    for (; late.length > 0 && performance.now() - lastMail < STALLED; late = owedTo(ledger)) {
      const tried = (await fixture.outbox()).filter(({ attempts = 0 }) => attempts > 0)
      waiting = new Set(tried.map(({ subscription_id }) => subscription_id))
      if (late.every(({ id }) => waiting.has(id))) break
      await sleep(500)
    }
    const takenOverIn = performance.now() - killedAt
    for (const { email, id } of late) if (!waiting.has(id)) ledger.report('I3', `the mail for ${email} never came`)
    if (late.length > MOST_IN_HAND) ledger.report('I3', `${late.length} mails wait, as if they may have been delivered`)
    for (const messageId of twice) ledger.report('I4', `${messageId} was sent twice, by workers that live`)
    if (again > MOST_IN_HAND) ledger.report('I4', `${again} mails of the killed worker were sent again`)
    await scenario.examine(true)
    const figures: WorkersFigures = { delivered: sent.size, again, takenOverIn: Math.round(takenOverIn / 1_000) }
    const findings: readonly Finding[] = scenario.findings
    return { findings, figures }
  } finally {
    for (const { service, relay, home: folder } of parts) {
      await service.kill()
      await relay[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    }
  }
}

const signUp = async ({ ledger, client }: Fixture, count: number): Promise<void> => {
  let left = count
  const lane = async (): Promise<void> => {
    while (left-- > 0) {
      const person = ledger.newPerson(`${left % 97}.example`)
      const action = { kind: 'subscribe', name: 'Ada' } as const
      ledger.sent(person, action)
      ledger.answered(person, action, await client.ask(action, person, ''))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}
