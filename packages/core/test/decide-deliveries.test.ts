import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND, WebhookGone, WebhookRefused } from '../src/index.ts'
import type { DueDelivery } from '../src/webhooks/claim-deliveries.ts'
import {
  answersOf,
  type DeliveryOutcome,
  decideDeliveries,
  type TargetFacts,
} from '../src/webhooks/decide-deliveries.ts'
import { NOTHING_FAILED, type WebhookProgress } from '../src/webhooks/webhook-progress.ts'

const NOW = Date.UTC(2026, 0, 1)
const BUSY = new WebhookRefused('The target answered 500.')
const refusal = (status: number) => new WebhookRefused(`The target answered ${status}.`, { status })
const GONE = new WebhookGone('The target answered 410.')
const asksFor = (retryAfter: number, status = 429) => new WebhookRefused('It is busy.', { status, retryAfter })

const WEBHOOK = { url: 'https://shop.example/', createdAt: 1, disabled: undefined }

const due = (changes: Partial<DueDelivery['delivery']> = {}, isProbe = false) =>
  ({
    owner: 'w',
    isProbe,
    webhook: WEBHOOK,
    delivery: { id: 1, createdAt: NOW - MINUTE, notBefore: 7, attempts: 1, ...changes },
  }) as DueDelivery
const sent = (of = due()): DeliveryOutcome => ({ due: of, is: 'sent', at: NOW })
const unbegun = (of = due()): DeliveryOutcome => ({ due: of, is: 'unbegun', at: NOW })
const failed = (error: unknown = BUSY, of = due(), fraction = 1): DeliveryOutcome => ({
  ...{ due: of, is: 'failed', error, at: NOW, fraction },
})
const target = (progress: Partial<WebhookProgress> = {}, isDisabled = false): TargetFacts => ({
  webhook: { ...WEBHOOK, disabled: isDisabled ? { because: 'by-hand', since: 1 } : undefined },
  progress: { ...NOTHING_FAILED, cursor: 5, ...progress },
})
const old = { createdAt: NOW - 2 * DAY, attempts: 10 }

describe('what becomes of a delivery', () => {
  const tryAgainIn = (wait: number) => ({ givenBack: [{ id: 1, notBefore: NOW + wait, attempted: true }] })
  const nothing = { settled: [], givenBack: [], failures: [] }
  it.each<[what: string, outcome: DeliveryOutcome, changes: object]>([
    ['that was taken: gone', sent(), { settled: [1] }],
    ['that was taken after days', sent(due(old)), { settled: [1] }],
    ['that was not begun: given back as it was', unbegun(), { givenBack: [{ id: 1, notBefore: 7, attempted: false }] }],
    ['that failed: tried again', failed(), tryAgainIn(5 * SECOND)],
    ['that failed, half of the wait by chance', failed(BUSY, due(), 0), tryAgainIn(2.5 * SECOND)],
    ['that failed again: after longer', failed(BUSY, due({ attempts: 4 })), tryAgainIn(40 * SECOND)],
    ['that failed often: within the hour', failed(BUSY, due({ attempts: 99 })), tryAgainIn(HOUR)],
    ['that is asked for later: no sooner', failed(asksFor(20 * MINUTE)), tryAgainIn(20 * MINUTE)],
    ['that is asked for sooner than it would be tried', failed(asksFor(SECOND)), tryAgainIn(5 * SECOND)],
    ['that is asked for in a month: in an hour', failed(asksFor(30 * DAY)), tryAgainIn(HOUR)],
    ['whose connection failed', failed(new Error('ECONNREFUSED')), tryAgainIn(5 * SECOND)],
    ['that failed with what is no error', failed('no'), tryAgainIn(5 * SECOND)],
    ['to a target that is gone: waits', failed(GONE), tryAgainIn(5 * SECOND)],
    [
      'that failed for two days: parked',
      failed(BUSY, due(old)),
      { givenBack: [{ id: 1, notBefore: undefined, attempted: true, error: BUSY.message }] },
    ],
    ['that failed for less', failed(BUSY, due({ ...old, createdAt: NOW - 2 * DAY + 1 })), tryAgainIn(2_560 * SECOND)],
    ['that failed seldom', failed(BUSY, due({ ...old, attempts: 9 })), tryAgainIn(1_280 * SECOND)],
    ['that failed for two days, to a target that is gone: waits', failed(GONE, due(old)), tryAgainIn(2_560 * SECOND)],
  ])('%s', (_, outcome, changes) => {
    const { progress: __, failures, ...stored } = decideDeliveries(target(), [outcome])
    expect({ ...nothing, ...stored }).toMatchObject({ ...nothing, ...changes, failures: [] })
    expect(failures).toHaveLength(outcome.is === 'failed' ? 1 : 0)
    const isParked = stored.givenBack.some(({ notBefore }) => notBefore === undefined)
    expect(failures.every(({ parked }) => parked === isParked)).toBe(true)
  })

  it('is said of each', () => {
    const all = [sent(due({ id: 1 })), unbegun(due({ id: 2 })), failed(BUSY, due({ id: 3 })), sent(due({ id: 4 }))]
    const { settled, givenBack } = decideDeliveries(target(), all)
    expect(settled).toEqual([1, 4])
    expect(givenBack).toMatchObject([{ id: 2 }, { id: 3 }])
  })

  it('repeats no address that the failure names', () => {
    const { givenBack } = decideDeliveries(target(), [failed(new Error('ada@example.com is not known here'))])
    expect(givenBack).toMatchObject([{ error: '<address> is not known here' }])
  })
})

it('keeps of an answer what was said, and of a failure why', () => {
  const event = { position: 7, type: 'user.deleted', subject: 'ada' }
  const asked = (attempts: number) =>
    due({ webhook: 'shop', attempts, event } as unknown as Partial<DueDelivery['delivery']>)
  const answer = { status: 200, head: 'thanks' }
  const refused = { status: 500, head: 'no' }
  const kept = { webhook: 'shop', at: NOW, ...event }
  const all: DeliveryOutcome[] = [
    { ...sent(asked(1)), answer } as DeliveryOutcome,
    unbegun(asked(2)),
    { ...failed(BUSY, asked(3)), answer: refused } as DeliveryOutcome,
    failed(new Error('ECONNREFUSED'), asked(4)),
  ]
  expect(answersOf(all)).toEqual([
    { ...kept, attempt: 1, error: undefined, ...answer },
    { ...kept, attempt: 3, error: BUSY.message, ...refused },
    { ...kept, attempt: 4, error: 'ECONNREFUSED', status: undefined, head: undefined },
  ])
})

describe('what becomes of the progress of a target', () => {
  const times = (count: number, outcome: DeliveryOutcome) => Array.from({ length: count }, () => outcome)
  const failing = { failures: 2, failingSince: NOW - HOUR, pausedUntil: NOW - HOUR }
  const anew = { failures: 1, failingSince: NOW, pausedUntil: NOW }
  const well = { pausedUntil: NOW - HOUR }
  const resting = { failures: 5, failingSince: NOW - HOUR, pausedUntil: NOW - 1 }
  const probed = { ...resting, pausedUntil: NOW + MINUTE }
  const probe = due({}, true)
  const ofAnother = { ...due(), webhook: { ...WEBHOOK, url: 'https://old.example/' } } as DueDelivery
  const ofEarlier = { ...due(), webhook: { ...WEBHOOK, createdAt: 0 } } as DueDelivery
  it.each<
    readonly [
      what: string,
      before: Partial<WebhookProgress>,
      outcomes: readonly DeliveryOutcome[],
      after: Partial<WebhookProgress>,
    ]
  >([
    ['after a success', {}, [sent()], {}],
    ['after a success of the target before it', failing, [sent(ofAnother)], failing],
    ['after a failure of the target before it', failing, [failed(BUSY, ofAnother)], failing],
    ['after a failure of the same address, put anew', failing, [failed(BUSY, ofEarlier)], failing],
    ['after none', failing, [unbegun()], failing],
    ['after a failure', {}, [failed()], anew],
    ['after one more', failing, [failed()], { ...failing, failures: 3, pausedUntil: NOW }],
    ['after a success at last', failing, [sent()], well],
    ['after a success and a failure', failing, [sent(), failed()], anew],
    ['after a failure and a success', failing, [failed(), sent()], { pausedUntil: NOW }],
    [
      'after five failures: rests',
      {},
      times(5, failed()),
      { failures: 5, failingSince: NOW, pausedUntil: NOW + SECOND },
    ],
    [
      'after many at once: as after five',
      {},
      times(20, failed()),
      { failures: 5, failingSince: NOW, pausedUntil: NOW + SECOND },
    ],
    ['while it rests, after one that was under way', resting, [failed()], resting],
    ['while it rests, after a success of one that was under way', probed, [sent()], { pausedUntil: NOW + MINUTE }],
    ['after its one try', probed, [failed(BUSY, probe)], { ...resting, failures: 6, pausedUntil: NOW + 2 * SECOND }],
    [
      'after its one try, half by chance',
      resting,
      [failed(BUSY, probe, 0)],
      { ...resting, failures: 6, pausedUntil: NOW + SECOND },
    ],
    [
      'after many tries: rests for a minute at most',
      { ...resting, failures: 60 },
      [failed(BUSY, probe)],
      { ...resting, failures: 61, pausedUntil: NOW + MINUTE },
    ],
    ['when its one try was not made: rests no longer', probed, [unbegun(probe)], { ...resting, pausedUntil: NOW }],
    ['when another was not begun', probed, [unbegun()], probed],
    [
      'that asks for rest: rests',
      failing,
      [failed(asksFor(MINUTE))],
      { ...failing, failures: 3, pausedUntil: NOW + MINUTE },
    ],
    ['that asks for rest by 503', {}, [failed(asksFor(MINUTE, 503))], { ...anew, pausedUntil: NOW + MINUTE }],
    ['that asks for a month: rests for an hour', {}, [failed(asksFor(30 * DAY))], { ...anew, pausedUntil: NOW + HOUR }],
    [
      'that asks for rest, beside others',
      {},
      [failed(asksFor(MINUTE)), failed()],
      { ...anew, failures: 2, pausedUntil: NOW + MINUTE },
    ],
    ['that asks for rest for an event', {}, [failed(asksFor(MINUTE, 500))], anew],
    ['that asks for rest, and took another', {}, [failed(asksFor(MINUTE)), sent()], { pausedUntil: NOW + MINUTE }],
    ['that asks for rest while it rests', resting, [failed(asksFor(MINUTE))], probed],
    ['after its one try has got through', probed, [sent(probe)], { pausedUntil: NOW }],
    [
      'after an event that it does not take: need not rest, and has taken nothing',
      failing,
      [failed(refusal(400))],
      { ...failing, failures: 0, pausedUntil: NOW },
    ],
    [
      'after its one try was of such an event',
      probed,
      [failed(refusal(422), probe)],
      { failingSince: resting.failingSince, pausedUntil: NOW },
    ],
    [
      'while it rests, after such an event that was under way',
      probed,
      [failed(refusal(422))],
      { ...probed, failures: 0 },
    ],
    [
      'after the first event that it does not take',
      {},
      [failed(refusal(401))],
      { failingSince: NOW, pausedUntil: NOW },
    ],
    ['after such an event and a success', {}, [failed(refusal(401)), sent()], { pausedUntil: NOW }],
    ...[408, 425, 429, 302, 500].map(
      (status) =>
        [
          `after ${status}, which tells of it`,
          failing,
          [failed(refusal(status))],
          { ...failing, failures: 3, pausedUntil: NOW },
        ] as const,
    ),
  ])('%s', (_, before, outcomes, after) => {
    expect(decideDeliveries(target(before), outcomes).progress).toEqual(target(after).progress)
  })

  it('is the very same if there is nothing to store', () => {
    const facts = target()
    expect(decideDeliveries(facts, [sent(), unbegun(), sent()]).progress).toBe(facts.progress)
  })
})

describe('whether a target is disabled', () => {
  const failingFor = (time: number) => ({ failures: 9, failingSince: NOW - time, pausedUntil: NOW })
  it.each<[what: string, facts: TargetFacts, outcomes: DeliveryOutcome[], disabled: readonly (string | undefined)[]]>([
    ['after a failure', target(), [failed()], [undefined]],
    ['because it says that it is gone', target(), [failed(GONE)], ['gone']],
    [
      'once, however often it says so',
      target(),
      [failed(), failed(GONE), failed(GONE)],
      [undefined, 'gone', undefined],
    ],
    ['not again', target({}, true), [failed(GONE)], [undefined]],
    ['after less than three days', target(failingFor(3 * DAY - 1)), [failed()], [undefined]],
    ['after three days', target(failingFor(3 * DAY)), [failed()], ['failing']],
    [
      'after three days, by events that it does not take',
      target(failingFor(3 * DAY)),
      [failed(refusal(401))],
      [undefined],
    ],
    [
      'after three days of such events and one failure',
      target(failingFor(3 * DAY)),
      [failed(refusal(401)), failed()],
      [undefined, undefined],
    ],
    [
      'after three days in which the clock was ahead, or all was asleep',
      target({ ...failingFor(3 * DAY), pausedUntil: NOW - 3 * DAY }),
      [failed(BUSY, due({}, true))],
      [undefined],
    ],
    ['after three days, by a success', target(failingFor(3 * DAY)), [sent(), failed()], [undefined]],
    ['after three days, when nothing was tried', target(failingFor(3 * DAY)), [unbegun()], []],
  ])('%s', (_, facts, outcomes, disabled) => {
    expect(decideDeliveries(facts, outcomes).failures.map((failure) => failure.disabled)).toEqual(disabled)
  })
})
