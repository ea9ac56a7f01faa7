import { endFailing } from '../feedback/deliverability.ts'
import type { Instant } from '../instant.ts'
import { mailMove } from '../moves/move-mail.ts'
import { mailPreferences } from '../preferences/preferences-mail.ts'
import type { AddressHash } from '../subscriptions/email-address.ts'
import type { Stores } from '../unit-of-work.ts'
import { decideSignUp, factsAfter, type SignUpFacts } from './decide-sign-up.ts'
import { countTurnedAway, type TurnedAwayBy } from './funnel-metrics.ts'
import { loadSignUps, type WaitingSignUp } from './load-sign-ups.ts'
import type { Means } from './means.ts'
import type { WaitingRequest } from './waiting-request.ts'
import { type DecidedSignUp, writeSignUps } from './write-sign-ups.ts'

/** What became of requests, to be counted once that is on durable storage. */
export interface CarriedOut {
  readonly requests: number
  readonly turnedAway: readonly TurnedAwayBy[]
}

/** Carries out requests within the unit of work that took them, in their order, and removes them. */
export const carryOut = async (
  stores: Stores,
  ports: Means,
  requests: readonly WaitingRequest[],
): Promise<CarriedOut> => {
  const now = ports.clock.now()
  const turnedAway: (TurnedAwayBy | undefined)[] = []
  for (const run of runsOf(requests)) {
    if (run.every(isSignUp)) turnedAway.push(...(await signUp(stores, ports, run, now)))
    else for (const request of run) turnedAway.push(await carryOutOne(stores, ports, request, now))
  }
  await stores.requests.remove(requests.map(({ id }) => id))
  return { requests: requests.length, turnedAway: turnedAway.filter((rule) => rule !== undefined) }
}

const isSignUp = (request: WaitingRequest): request is WaitingSignUp => request.asked.kind === 'sign-up'

/** Neighbours that can be carried out as one set. */
const runsOf = (requests: readonly WaitingRequest[]): WaitingRequest[][] => {
  const runs: WaitingRequest[][] = []
  for (const request of requests) {
    const last = runs.at(-1)
    if (last?.[0] !== undefined && isSignUp(last[0]) === isSignUp(request)) last.push(request)
    else runs.push([request])
  }
  return runs
}

const signUp = async (
  stores: Stores,
  ports: Means,
  requests: readonly WaitingSignUp[],
  now: Instant,
): Promise<readonly (TurnedAwayBy | undefined)[]> => {
  const loaded = await loadSignUps(stores, ports, requests, now)
  const current = new Map<AddressHash, SignUpFacts>()
  const decided = loaded.signUps.map((one): DecidedSignUp => {
    const { address } = one.hashes
    const facts = merged(one.facts, current.get(address))
    const changes = decideSignUp(facts, one.signUp, now, ports.linkLife)
    current.set(address, factsAfter(facts, changes))
    return { ...one, changes }
  })
  await writeSignUps(stores, loaded, decided, ports, now)
  return decided.map(({ changes }) => changes.turnedAwayBy)
}

/** What earlier sign-ups of the same set have changed counts. */
const merged = (loaded: SignUpFacts, later: SignUpFacts | undefined): SignUpFacts =>
  later === undefined
    ? loaded
    : {
        ...loaded,
        subscriptions: new Map([...loaded.subscriptions, ...later.subscriptions]),
        waiting: new Set([...loaded.waiting, ...later.waiting]),
        lastConsents: new Map([...loaded.lastConsents, ...later.lastConsents]),
      }

const carryOutOne = async (
  stores: Stores,
  ports: Means,
  { asked, traceContext }: WaitingRequest,
  now: Instant,
): Promise<TurnedAwayBy | undefined> => {
  switch (asked.kind) {
    case 'preferences':
      return await mailPreferences(stores, ports, asked.addressKey, now, traceContext)
    case 'manage': {
      const known = await stores.subscriptions.find(asked.subscription)
      if (known === undefined) return undefined
      await endFailing(stores, known.address, now)
      return await mailPreferences(stores, ports, known.addressKey, now, traceContext)
    }
    case 'move':
      await mailMove(stores, ports, asked, now, traceContext)
      return undefined
    case 'trap':
      await countTurnedAway(stores, asked.because ?? 'honeypot', asked.feed, now)
      return asked.because ?? 'honeypot'
    case 'sign-up':
      throw new TypeError('Sign-ups are carried out as a set.')
  }
}
