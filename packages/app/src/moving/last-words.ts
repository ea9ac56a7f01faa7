import type { Withdrawals } from '@rollcall/storage-sql/sqlite'

/** What an event or an audit record says of a subject. */
export interface Saying {
  /** The type of an event, or the action of a record. */
  readonly what: string
  readonly subject: string
  /** The place among its like. */
  readonly order: number
  readonly at: number
}

type Kind = 'user' | 'erasure' | 'consent'
type Word = readonly [kind: Kind, withdrawn: boolean]

/** Whoever is erased and signs up again is somebody new: what there was of them before does not come back by that. */
const WORDS: Readonly<Record<string, Word>> = {
  'user.created': ['user', false],
  'user.deleted': ['user', true],
  'subscription.erased': ['erasure', true],
  'subscription.ended': ['consent', true],
  'subscription.confirmed': ['consent', false],
  'user.restore': ['user', false],
  'user.delete': ['user', true],
  'subscription.erase': ['erasure', true],
  'subscription.end': ['consent', true],
  'subscription.confirm': ['consent', false],
}

/** Subjects by what was said last of them: whether it was withdrawn, and when. */
type Said = Readonly<Record<Kind, Map<string, { readonly withdrawn: boolean; readonly at: number }>>>

const nothing = (): Said => ({ user: new Map(), erasure: new Map(), consent: new Map() })

/** What is withdrawn in the end: of one subject, the last word counts. Two streams tell the same by their own orders. */
export const withdrawnIn = (...streams: readonly (readonly Saying[])[]): Withdrawals => {
  const last = nothing()
  for (const said of streams.map(lastOf))
    for (const kind of ['user', 'erasure', 'consent'] as const)
      for (const [subject, word] of said[kind])
        if (word.at > (last[kind].get(subject)?.at ?? Number.NEGATIVE_INFINITY)) last[kind].set(subject, word)
  return {
    users: withdrawn(last.user, String),
    erased: new Set(withdrawn(last.erasure, Number).keys()),
    ended: withdrawn(last.consent, Number),
  }
}

/** By the order of the stream and not by its times: a clock may have been put back. */
const lastOf = (stream: readonly Saying[]): Said => {
  const said = nothing()
  for (const { what, subject, at } of stream.toSorted((a, b) => a.order - b.order)) {
    const word = WORDS[what]
    if (word !== undefined) said[word[0]].set(subject, { withdrawn: word[1], at })
  }
  return said
}

const withdrawn = <Id>(words: Said[Kind], idOf: (subject: string) => Id): Map<Id, number> =>
  new Map([...words].flatMap(([subject, word]) => (word.withdrawn ? [[idOf(subject), word.at] as const] : [])))
