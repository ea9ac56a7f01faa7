import path from 'node:path'
import { BounceAddresses } from '@rollcall/core/all'
import { linkSigning } from '../../../proving/shared/link-signing.ts'
import { Mailbox } from '../../../proving/shared/mailbox.ts'
import { Relay } from '../../../proving/shared/relay.ts'
import { Home } from '../../../proving/shared/service.ts'
import { changedSource } from '../../fault-injection/fault-injection.ts'
import { type Attack, type AttackContext, counted, type Figure } from '../attack.ts'
import { askOnce } from '../raw.ts'
import { rowsOf } from '../sql.ts'
import { Target } from '../target.ts'
import { waitUntil } from '../wait-until.ts'
import { bounceReport, handIn, misdirectedReports } from './reports.ts'
import { CountingAmazon, forgedMessages, genuine, type SnsFields, TOPIC } from './sns.ts'

const BASE = 'bounces@news.example.com'
const FORM = 'Content-Type: application/x-www-form-urlencoded'
const JSON_BODY = 'Content-Type: application/json'
const PERSONS = ['victim', 'attacker', 'by-amazon', 'by-report', 'by-sender'] as const
type Name = (typeof PERSONS)[number]

const emailOf = (name: Name): string => `${name}@example.com`

interface Field {
  readonly target: Target
  readonly mailbox: Mailbox
  readonly ids: Readonly<Record<Name, number>>
}

/** Everybody has confirmed. */
const prepare = async (target: Target, mailbox: Mailbox): Promise<Field> => {
  for (const name of PERSONS) {
    const email = emailOf(name)
    await askOnce(target.port, 'POST /subscribe', [FORM], new URLSearchParams({ email }).toString())
    await waitUntil(() => mailbox.of(email).length > 0, `the mail for ${email}`)
    await askOnce(target.port, `POST /confirm/${mailbox.token(email, 'confirm')}`, [FORM], 'a=b')
  }
  const rows = await rowsOf<{ id: number | string; email: string }>(target, 'SELECT id, email FROM subscription')
  const idOf = (name: Name): number => Number(rows.find(({ email }) => email === emailOf(name))?.id)
  return { target, mailbox, ids: Object.fromEntries(PERSONS.map((name) => [name, idOf(name)])) as Record<Name, number> }
}

/** Whether anything was believed of this person. */
const isHit = async ({ target, ids }: Field, name: Name): Promise<boolean> => {
  const id = ids[name]
  const [found] = await rowsOf<{ count: number | string }>(
    target,
    `SELECT (SELECT count(*) FROM deliverability WHERE subscription = ${id})
      + (SELECT count(*) FROM subscription WHERE id = ${id} AND status <> 'c')
      + (SELECT count(*) FROM waiting_feedback) + (SELECT count(*) FROM suppression) AS count`,
  )
  return Number(found?.count) > 0
}

/** @throws {Error} what is genuine is not believed: then what is forged is not, either, for another reason */
const requireHit = async (field: Field, name: Name): Promise<void> => {
  if (!(await isHit(field, name))) throw new Error(`genuine feedback of ${name} is not believed`)
}

/** The names of those that were believed. */
const believed = async <Forged>(
  field: Field,
  forged: Readonly<Record<string, Forged>>,
  send: (one: Forged) => Promise<unknown>,
): Promise<string[]> => {
  const through: string[] = []
  for (const [name, one] of Object.entries(forged)) {
    if (await isHit(field, 'victim')) break
    await send(one)
    if (await isHit(field, 'victim')) through.push(name)
  }
  return through
}

const ofSenders = async (field: Field): Promise<Figure> => {
  const { target, ids } = field
  const at = new Date().toISOString()
  await askOnce(
    target.port,
    'PUT /feeds/news',
    [JSON_BODY, `Authorization: Bearer ${await target.token('root', 'admin')}`],
    '{}',
  )
  const issued = async (...args: readonly string[]): Promise<string> =>
    (await target.succeed('token', 'issue', '--subject', 'mailer', ...args)).trim()
  const foreign = await issued('--role', 'sender', '--feed', 'news')
  const report = (token: string) => (item: object) =>
    askOnce(
      target.port,
      'POST /feedback',
      [JSON_BODY, `Authorization: Bearer ${token}`],
      JSON.stringify({ items: [item] }),
    )
  const bounce = { kind: 'bounce', permanent: true, at }
  const items = {
    'a bounce': { ...bounce, subscription: ids.victim },
    'a bounce with a status': { ...bounce, status: '5.1.1', subscription: ids.victim },
    'a complaint': { kind: 'complaint', subscription: ids.victim, at },
    'a bounce of an address': { ...bounce, address: emailOf('victim') },
    'a complaint of an address': { kind: 'complaint', address: emailOf('victim'), at },
  }
  const found = await believed(field, items, report(foreign))
  const auditor = await issued('--role', 'auditor')
  const others = await believed(field, items, report(auditor))
  const strangers = await believed(field, items, report('x'))
  await report(await issued('--role', 'sender', '--feed', 'default'))({
    ...items['a bounce'],
    subscription: ids['by-sender'],
  })
  await requireHit(field, 'by-sender')
  const all = [...found, ...others, ...strangers]
  return counted('feedback of senders for other feeds, and of others, believed', 3 * Object.keys(items).length, all)
}

const attacked = async (context: AttackContext): Promise<readonly Figure[]> => {
  const mailbox = new Mailbox()
  await using scratch = await Home.make({})
  await using relay = await Relay.open((mail) => mailbox.add(mail))
  await using amazon = await CountingAmazon.open()
  const program = changedSource([amazon.change], path.join(scratch.folder, 'injection.json'))
  const settings = { SMTP_URL: relay.url, FEEDBACK_SES_TOPICS: TOPIC, BOUNCE_ADDRESS: BASE }
  await using target = await Target.open(context, settings, program)
  const field = await prepare(target, mailbox)
  const { ids } = field

  const messages = forgedMessages(emailOf('victim'), emailOf('attacker'))
  const post = (fields: SnsFields) =>
    askOnce(target.port, 'POST /feedback/ses', ['Content-Type: text/plain'], JSON.stringify(fields))
  const fromAmazon = await believed(field, messages, post)
  await post(genuine(emailOf('by-amazon')))
  await requireHit(field, 'by-amazon')

  const addresses = new BounceAddresses(await linkSigning(target.home.data), BASE)
  const tokenOf = (name: Name, link: 'confirm' | 'unsubscribe') => mailbox.token(emailOf(name), link) ?? ''
  const reports = misdirectedReports({
    victim: { id: ids.victim, email: emailOf('victim'), confirmToken: tokenOf('victim', 'confirm') },
    own: { id: ids.attacker, unsubscribeToken: tokenOf('attacker', 'unsubscribe') },
    addresses,
    base: BASE,
  })
  const byReport = await believed(field, reports, (report) => handIn(program, target.home, report))
  await handIn(program, target.home, {
    recipient: addresses.of(ids['by-report'], Date.now()),
    message: bounceReport(emailOf('by-report')),
  })
  await requireHit(field, 'by-report')

  return [
    counted('messages of Amazon SNS, believed', Object.keys(messages).length, fromAmazon),
    counted('requests to addresses in such messages', Object.keys(messages).length, amazon.lured),
    counted('reports of mail servers, believed of another', Object.keys(reports).length, byReport),
    await ofSenders(field),
  ]
}

/** Feedback that is forged, or that came to the wrong place: each would keep mails from somebody. */
export const feedback: Attack = { name: 'feedback', stores: ['sqlite', 'postgres'], run: attacked }
