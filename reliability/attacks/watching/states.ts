import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Mailbox } from '../../../proving/shared/mailbox.ts'
import type { Target } from '../target.ts'
import { addressOf, askAll, form } from '../timing/known-addresses.ts'
import { waitUntil } from '../wait-until.ts'

/** What may be known of an address. */
export const STATES = ['new', 'suppressed', 'confirmed', 'pending', 'capped'] as const
export type State = (typeof STATES)[number]

export const signUp = (email: string): Buffer => form('/subscribe', { email })

const LONG_AGO = '2026-01-31'
const SLOWEST_MAIL = 20

/** Imports what is known of so many addresses; the service does not run yet. New ones need none; capped ones come later. */
export const importStates = async (target: Target, count: number): Promise<void> => {
  const take = async (what: string, state: State, more: object): Promise<void> => {
    const rows = Array.from({ length: count }, (_, n) => JSON.stringify({ email: addressOf(state, n), ...more }))
    const file = path.join(target.home.folder, `${state}.ndjson`)
    await writeFile(file, `${rows.join('\n')}\n`)
    await target.succeed(what, 'import', file)
  }
  await take('suppression', 'suppressed', { cause: 'unsubscribed' })
  await take('subscription', 'pending', {})
  await take('subscription', 'confirmed', { confirmed_at: LONG_AGO, consent: 'asked on paper' })
}

/** Addresses that have had a mail just now: for ten minutes no other goes there. */
export const makeCapped = async (target: Target, mailbox: Mailbox, first: number, count: number): Promise<void> => {
  const emails = Array.from({ length: count }, (_, n) => addressOf('capped', first + n))
  await askAll(target, emails.map(signUp))
  const isMailed = (email: string): boolean => mailbox.of(email).length > 0
  await waitUntil(
    () => emails.every(isMailed),
    'mails to addresses that are to be capped',
    60_000 + count * SLOWEST_MAIL,
  )
}
