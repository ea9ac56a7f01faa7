import { setTimeout as sleep } from 'node:timers/promises'
import type { Finding } from '../shared/finding.ts'
import { Fixture } from '../shared/fixture.ts'
import type { AcceptedMail } from '../shared/mailbox.ts'
import { Random } from '../shared/random.ts'
import { Relay } from '../shared/relay.ts'
import { owedTo, Scenario } from '../shared/scenario.ts'
import type { Program } from '../shared/service.ts'
import type { Target } from '../shared/target.ts'

interface ManyWorkersOrder {
  readonly server: string
  readonly mails: number
  /** Beside the one that takes the sign-ups. */
  readonly workers: number
  readonly seed: number
  readonly program?: Program | undefined
  readonly log?: ((line: string) => void) | undefined
}

/** So many mails may go out twice after a kill: as many as a process hands to its relay and has not stored as sent yet. */
const MOST_IN_HAND = 30
/** So many may wait, as if they had been delivered: those, and the batch that it has claimed behind them. */
const MOST_HELD = MOST_IN_HAND + 20
/** Milliseconds without a mail: those of a dead worker are taken over within 60 seconds. */
const STALLED = 90_000
const AT_ONCE = 40
/** Milliseconds that a relay takes for each answer. */
const SLOWNESS = 4

/** Several instances deliver one outbox on PostgreSQL; one of them is killed in the middle of it. */
export const runManyWorkers = async (order: ManyWorkersOrder) => {
  const { server, mails, workers, program, log = () => undefined } = order
  await using fixture = await Fixture.create({ server, program })
  const scenario = new Scenario(fixture, new Random(order.seed), 1, { awaitsCopies: false })
  const { ledger } = fixture
  // Each worker has a relay of its own, so that it is known who sent what.
  const sent = new Map<string, number>()
  let again = 0
  let lastMail = performance.now()
  const twice: string[] = []
  const received = ledger.received.bind(ledger)
  const byWorker = (worker: number) => (mail: AcceptedMail) => {
    const before = sent.get(mail.messageId)
    lastMail = performance.now()
    if (before === undefined) {
      sent.set(mail.messageId, worker)
      received(mail)
      return
    }
    again++
    // The first to be killed is number 0, and may not have said what it did.
    if (before !== 0) twice.push(mail.messageId)
  }
  ledger.received = byWorker(workers)
  fixture.relay.delay = SLOWNESS
  if ((await scenario.begin()) === undefined) throw new Error(ledger.findings.at(-1)?.message)
  await using owned = new AsyncDisposableStack()
  const instances: Target[] = []
  for (let n = 0; n < workers; n++) {
    const relay = owned.use(await Relay.open(byWorker(n)))
    relay.delay = SLOWNESS
    const instance = owned.use(await fixture.target.beside({ SMTP_URL: relay.url }))
    instance.launch()
    instances.push(instance)
  }
  await signUp(fixture, mails)
  log(`${sent.size} of ${mails} mails before the kill`)
  await instances[0]?.stop('SIGKILL')
  const killedAt = performance.now()
  // What another worker has looked at says why it waits; until then it is in the hands of one, dead or alive.
  const held = async () => {
    const all = (await fixture.outbox()).filter(({ last_error }) => last_error !== null)
    return new Set(all.map(({ subscription_id }) => subscription_id))
  }
  let [late, waiting] = [owedTo(ledger), await held()]
  while (late.some(({ id }) => !waiting.has(id)) && performance.now() - lastMail < STALLED) {
    await sleep(500)
    ;[late, waiting] = [owedTo(ledger), await held()]
  }
  const takenOverIn = performance.now() - killedAt
  for (const { email, id } of late) if (!waiting.has(id)) ledger.report('I3', `the mail for ${email} never came`)
  if (late.length > MOST_HELD) ledger.report('I3', `${late.length} mails wait, as if they may have been delivered`)
  for (const messageId of twice) ledger.report('I4', `${messageId} was sent twice, by workers that live`)
  if (again > MOST_IN_HAND) ledger.report('I4', `${again} mails of the killed worker were sent again`)
  await scenario.examine(true)
  const findings: readonly Finding[] = scenario.findings
  return {
    findings,
    figures: {
      delivered: sent.size,
      /** May have been delivered by the worker that was killed. */
      held: late.length,
      /** By the worker that was killed, and once more by another. */
      again,
      takenOverIn: Math.round(takenOverIn / 1_000),
    },
  }
}

const signUp = async (fixture: Fixture, count: number): Promise<void> => {
  let left = count
  const lane = async (): Promise<void> => {
    while (left-- > 0)
      await fixture.act(fixture.ledger.newPerson(`${left % 97}.example`), { kind: 'subscribe', name: 'Ada' })
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}
