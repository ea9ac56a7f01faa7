import Database from 'better-sqlite3'
import pg from 'pg'
import type { Mailbox } from '../../ledger/mailbox.ts'
import { opened, request } from '../raw.ts'
import type { Target } from '../target.ts'
import { waitUntil } from '../wait-until.ts'
import { KeptConnection } from './kept-connection.ts'

/** What becomes of a sign-up, by the state of its address. */
export const OUTCOMES = ['new', 'suppressed', 'capped', 'confirmed', 'pending'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** All of the same length. */
export const addressOf = (outcome: Outcome, n: number): string =>
  `${outcome.padEnd(10, '-')}${String(n).padStart(6, '0')}@example.com`

const FORM = 'Content-Type: application/x-www-form-urlencoded'

export const signUp = (email: string): Buffer =>
  request('POST /subscribe', [FORM], new URLSearchParams({ email }).toString())

const AT_ONCE = 32

/** Asks for each of many, on a few connections. */
const forEachOf = async (target: Target, count: number, bytesOf: (n: number) => Buffer): Promise<void> => {
  const numbers = Array.from({ length: count }, (_, n) => n).values()
  const work = async (): Promise<void> => {
    const connection = new KeptConnection(await opened(target.port))
    for (const n of numbers) {
      const { status } = await connection.ask(bytesOf(n))
      if (status !== 200) throw new Error(`a request that prepares the attack is answered ${status}`)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

const subscribed = async (target: Target, mailbox: Mailbox, outcome: Outcome, count: number): Promise<void> => {
  await forEachOf(target, count, (n) => signUp(addressOf(outcome, n)))
  const numbers = Array.from({ length: count }, (_, n) => n)
  await waitUntil(() => numbers.every((n) => mailbox.of(addressOf(outcome, n)).length > 0), `all mails for ${outcome}`)
}

const followed = (target: Target, mailbox: Mailbox, outcome: Outcome, count: number, link: 'confirm' | 'refuse') =>
  forEachOf(target, count, (n) =>
    request(`POST /${link}/${mailbox.token(addressOf(outcome, n), link)}`, [FORM, 'Accept: application/json'], 'a=b'),
  )

/** As if all of it was long ago: no cap holds any more. */
const AGE = ['DELETE FROM mail_cap', 'UPDATE consent SET at = at - 86400000']

const age = async ({ home, database }: Target): Promise<void> => {
  if (database === undefined) {
    const file = new Database(`${home.data}/rollcall.db`, { fileMustExist: true })
    for (const statement of AGE) file.exec(statement)
    file.close()
    return
  }
  const client = new pg.Client(database)
  await client.connect()
  for (const statement of AGE) await client.query(statement)
  await client.end()
}

/** Makes addresses of every outcome; new ones need nothing. */
export const prepareOutcomes = async (target: Target, mailbox: Mailbox, count: number): Promise<void> => {
  for (const outcome of ['suppressed', 'confirmed', 'pending'] as const)
    await subscribed(target, mailbox, outcome, count)
  await followed(target, mailbox, 'suppressed', count, 'refuse')
  await followed(target, mailbox, 'confirmed', count, 'confirm')
  await target.stop()
  await age(target)
  await target.start()
  await subscribed(target, mailbox, 'capped', count)
}
