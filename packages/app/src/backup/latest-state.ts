import type { Withdrawals } from '@rollcall/storage-sql/sqlite'

/** What an event or an audit record says of a subject. */
export interface Change {
  /** The type of an event, or the action of a record. */
  readonly what: string
  readonly subject: string
  /** Its position among the changes of the same stream. */
  readonly order: number
  readonly at: number
}

type Kind = 'user' | 'access' | 'erasure' | 'consent'
type State = readonly [kind: Kind, withdrawn: boolean]

/** A person who signs up again after an erasure is a new one: that does not bring back what there was before. */
const STATE_AFTER: ReadonlyMap<string, State> = new Map<string, State>([
  ['user.created', ['user', false]],
  ['user.deleted', ['user', true]],
  ['user.suspended', ['access', true]],
  ['user.resumed', ['access', false]],
  ['subscription.erased', ['erasure', true]],
  ['subscription.ended', ['consent', true]],
  ['subscription.confirmed', ['consent', false]],
  ['user.restore', ['user', false]],
  ['user.delete', ['user', true]],
  ['user.suspend', ['access', true]],
  ['user.resume', ['access', false]],
  ['subscription.erase', ['erasure', true]],
  ['subscription.end', ['consent', true]],
  ['subscription.confirm', ['consent', false]],
])

/** The latest state of each subject: whether it is withdrawn, and since when. */
type LatestStates = Readonly<Record<Kind, Map<string, { readonly withdrawn: boolean; readonly at: number }>>>

const noStates = (): LatestStates => ({
  user: new Map(),
  access: new Map(),
  erasure: new Map(),
  consent: new Map(),
})

/** What is withdrawn after all changes: the latest change of a subject counts. Two streams may report the same one. */
export const withdrawalsIn = (...streams: readonly (readonly Change[])[]): Withdrawals => {
  const latest = noStates()
  for (const states of streams.map(latestStatesOf))
    for (const kind of ['user', 'access', 'erasure', 'consent'] as const)
      for (const [subject, state] of states[kind])
        if (state.at > (latest[kind].get(subject)?.at ?? Number.NEGATIVE_INFINITY)) latest[kind].set(subject, state)
  return {
    users: withdrawn(latest.user, String),
    suspended: withdrawn(latest.access, String),
    erased: new Set(withdrawn(latest.erasure, Number).keys()),
    ended: withdrawn(latest.consent, Number),
  }
}

/** By the order of the stream and not by its times: a clock may have been put back. */
const latestStatesOf = (stream: readonly Change[]): LatestStates => {
  const states = noStates()
  for (const { what, subject, at } of stream.toSorted((a, b) => a.order - b.order)) {
    const state = STATE_AFTER.get(what)
    if (state !== undefined) states[state[0]].set(subject, { withdrawn: state[1], at })
  }
  return states
}

const withdrawn = <Id>(states: LatestStates[Kind], idOf: (subject: string) => Id): Map<Id, number> =>
  new Map([...states].flatMap(([subject, state]) => (state.withdrawn ? [[idOf(subject), state.at] as const] : [])))
