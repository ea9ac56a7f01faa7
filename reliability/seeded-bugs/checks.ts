import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { COPIES_AT_ONCE } from '../fault-injection/copies-at-once.ts'
import type { SourceChange } from '../fault-injection/source-change.ts'
import { checkPowerLoss, type PowerLossCheck } from '../power-loss/check-power-loss.ts'
import { Fixture } from '../run/fixture.ts'
import { runRandomKills } from '../run/run-random-kills.ts'

const BAD = 12
const GOOD = 10
/** Milliseconds within which good mails must be sent. */
const PATIENCE = 15_000

/** The relay defers some mails: the others must be sent all the same. */
const badMails: BugCheck = async ({ changes }) => {
  await using fixture = await Fixture.create({ injection: { changes } })
  fixture.relay.decide = (step, { recipient }) =>
    step === 'RCPT' && recipient?.startsWith('bad') ? { reply: '451 4.3.0 not now' } : undefined
  await fixture.mustStart()
  const subscribe = async (email: string) => await fixture.ask('POST', '/subscribe', { body: { email } })
  for (let n = 0; n < BAD; n++) await subscribe(`bad@host-${n}.example.com`)
  for (let n = 0; n < GOOD; n++) await subscribe(`good-${n}@example.com`)
  if (await eventually(() => fixture.ledger.mailbox.count >= GOOD, PATIENCE)) return undefined
  return `${fixture.ledger.mailbox.count} of ${GOOD} mails came while ${BAD} others were deferred`
}

const USER = { email: 'person@example.com', name: 'Person', roles: ['auditor'] }
const REFUSED = 401

/** A user is deleted: its token must be refused at once, and after a crash. */
const deletedToken: BugCheck = async ({ changes }) => {
  await using fixture = await Fixture.create({ injection: { changes } })
  const service = await fixture.mustStart()
  const token = await fixture.token('root', 'admin')
  const usersToken = await fixture.token('user-1', 'auditor')
  await fixture.ask('PUT', '/users/user-1', { token, body: USER })
  if ((await fixture.ask('DELETE', '/users/user-1', { token })) !== 204) return 'the user could not be deleted'
  const before = await fixture.ask('GET', '/users', { token: usersToken })
  if (before !== REFUSED) return `the token of a deleted user is answered ${before}`
  await service.kill()
  await fixture.mustStart()
  const after = await fixture.ask('GET', '/users', { token: usersToken })
  return after === REFUSED ? undefined : `after a restart the token of a deleted user is answered ${after}`
}

const BODY = 'email=person%40example.com'
const HEAD = [
  'POST /subscribe HTTP/1.1',
  'Host: 127.0.0.1',
  'Content-Type: application/x-www-form-urlencoded',
  `Content-Length: ${BODY.length}`,
  '\r\n',
].join('\r\n')
/** Milliseconds for the service to read what was sent. */
const MOMENT = 200

/** SIGTERM comes while a request is being received: it must be answered, and the exit code must be 0. */
export const drain: BugCheck = async ({ changes }) => {
  await using fixture = await Fixture.create({ injection: { changes } })
  const service = await fixture.mustStart()
  const socket = connect(fixture.home.port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text
  })
  // A reset connection is what this check looks for: then there is no answer.
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(HEAD + BODY.slice(0, 5))
  await sleep(MOMENT)
  service.signal('SIGTERM')
  await sleep(MOMENT)
  if (!socket.destroyed) socket.write(BODY.slice(5))
  const { code, signal } = await service.ended
  socket.destroy()
  if (!answer.startsWith('HTTP/1.1 200 '))
    return `a request that was being received is answered ${answer.split('\r\n', 1)}`
  return code === 0 ? undefined : `SIGTERM ended the service with ${signal ?? code}`
}

/** Whether the condition becomes true within so many milliseconds. */
export const eventually = async (holds: () => boolean, within: number): Promise<boolean> => {
  for (const end = performance.now() + within; performance.now() < end; await sleep(10)) if (holds()) return true
  return holds()
}

const MAILS = 5
const BEGUN_WITHIN = 10_000
/** Milliseconds within which the mails of a dead process are taken over. */
const TAKE_OVER = 60_000

/** The service is killed while it sends mails: its next process must send them. */
export const orphans: BugCheck = async ({ changes }) => {
  await using fixture = await Fixture.create({ injection: { changes: [...changes, COPIES_AT_ONCE] } })
  let inHand = 0
  fixture.relay.decide = (step) => {
    if (step !== 'dot') return undefined
    inHand++
    return { act: 'hang' }
  }
  const service = await fixture.mustStart()
  for (let n = 0; n < MAILS; n++)
    await fixture.ask('POST', '/subscribe', { body: { email: `person-${n}@example.com` } })
  if (!(await eventually(() => inHand > 0, BEGUN_WITHIN))) return 'no mail was begun'
  await service.kill()
  fixture.relay.decide = () => undefined
  await fixture.mustStart()
  if (await eventually(() => fixture.ledger.mailbox.count >= MAILS, TAKE_OVER)) return undefined
  return `${fixture.ledger.mailbox.count} of ${MAILS} mails came within a minute after their process was killed`
}

/** Restoring a user fails half-way, as another has its address: nothing may have changed. */
const refusedRestore: BugCheck = async ({ changes }) => {
  await using fixture = await Fixture.create({ injection: { changes }, settings: { DELETE_GRACE: '1h' } })
  await fixture.mustStart()
  const token = await fixture.token('root', 'admin')
  await fixture.ask('PUT', '/users/first', { token, body: USER })
  await fixture.ask('DELETE', '/users/first', { token })
  await fixture.ask('PUT', '/users/second', { token, body: USER })
  const refused = await fixture.ask('POST', '/users/first/restore', { token })
  if (refused !== 409) return `restoring a user whose address another has is answered ${refused}`
  const status = await fixture.ask('GET', '/users/first', { token })
  return status === 410 ? undefined : `after its restoration was refused, a deleted user is answered ${status}`
}

interface CheckOrder {
  /** Changes to the source of the service; none to check it as it is. */
  readonly changes: readonly SourceChange[]
  readonly seed: number
}

/** Looks for one kind of bug. Resolves to the first problem found, or undefined. */
type BugCheck = (order: CheckOrder) => Promise<string | undefined>

const KILLS = 30
const LATE_KILLS = 8
const LATE = [2_500, 4_000] as const
const STATES = 200
const DURATIONS = [1_500, 500]

/** Random kills under load, judged by the ledger. */
const kills =
  (count: number, loadFor?: readonly [least: number, most: number]): BugCheck =>
  async ({ changes: bug, seed }) => {
    const changes = [...bug, COPIES_AT_ONCE]
    const { findings } = await runRandomKills({ store: 'sqlite', kills: count, seed, changes, enough: 1, loadFor })
    const [first] = findings
    return first && `${first.invariant}: ${first.message}`
  }

/** Power losses, simulated on recorded writes. */
const powerLoss =
  (mail: NonNullable<PowerLossCheck['mails']>[number]): BugCheck =>
  async ({ changes, seed }) => {
    const order = { states: STATES, durations: DURATIONS, enough: 1, mails: [mail] } as const
    const [figures] = await checkPowerLoss({ ...order, changes, seed })
    const [problem] = figures?.lost[0]?.problems ?? []
    return problem && `${problem.invariant}: ${problem.message}`
  }

/** Every check by its name. */
export const CHECKS = {
  'random-kills': kills(KILLS),
  // For what takes several mails.
  'late-kills': kills(LATE_KILLS, LATE),
  // After the last kill the whole store is examined, and links are fetched as a scanner would.
  'one-kill': kills(1),
  'power-loss': powerLoss('files'),
  'power-loss-smtp': powerLoss('smtp'),
  'bad-mails': badMails,
  orphans,
  'deleted-token': deletedToken,
  'refused-restore': refusedRestore,
  drain,
} as const satisfies Record<string, BugCheck>

export type CheckName = keyof typeof CHECKS
