import type { Deed } from '../ledger/life.ts'
import type { Link } from '../ledger/mailbox.ts'
import type { Random } from '../random.ts'

/** One thing that a person does, and how often at the same time. */
export interface Act {
  readonly deed: Deed
  readonly times: number
  /** Which link of a mail it takes; the person waits for it. */
  readonly link: Link | undefined
}

type Script = (name: (occasion: string) => string) => readonly Act[]

const act = (deed: Deed, times = 1): Act => ({
  deed,
  times,
  link: deed.kind === 'confirm' || deed.kind === 'refuse' || deed.kind === 'unsubscribe' ? deed.kind : undefined,
})
const signUp = (name: string, times = 1): Act => act({ kind: 'subscribe', name }, times)
const putUser = (name: string): Act => act({ kind: 'put-user', name })
const remove = (subscriptions: 'keep' | 'erase'): Act => act({ kind: 'delete-user', subscriptions })
const CONFIRM = act({ kind: 'confirm' })
const REFUSE = act({ kind: 'refuse' })
const LEAVE = act({ kind: 'unsubscribe' })

/** What persons do, in order; the more often one is here, the more of them do it. */
const SCRIPTS: readonly Script[] = [
  (name) => [signUp(name('only'))],
  (name) => [signUp(name('only'))],
  (name) => [signUp(name('only'))],
  (name) => [signUp(name('first')), signUp(name('second'))],
  (name) => [signUp(name('at once'), 4)],
  (name) => [signUp(name('first')), CONFIRM, signUp(name('second')), CONFIRM],
  (name) => [signUp(name('at once'), 2), CONFIRM, LEAVE, signUp(name('back'))],
  (name) => [signUp(name('first')), REFUSE, signUp(name('again')), REFUSE],
  (name) => [putUser(name('new')), putUser(name('changed')), remove('keep'), putUser(name('back'))],
  (name) => [signUp(name('first')), putUser(name('user')), remove('erase'), remove('erase')],
  (name) => [putUser(name('user')), signUp(name('first')), remove('erase'), signUp(name('back'))],
  (name) => [putUser(name('user')), signUp(name('first')), CONFIRM, remove('keep'), LEAVE],
]

/** What one person does; names hold what forms, SQL and JSON stumble over. */
export const someScript = (random: Random, number: number): readonly Act[] =>
  random.pick(SCRIPTS)((occasion) => `Zoë "${number}" O'Brien & 名前 ${occasion}`)
