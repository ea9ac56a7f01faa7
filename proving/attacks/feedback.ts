import { Mails } from '../target/mails.ts'
import { counted, type Row } from '../target/rows.ts'
import { Target } from '../target/target.ts'
import type { Attack } from './attack.ts'

const BASE = 'bounces@news.example.com'
const PERSONS = ['victim', 'attacker', 'by-report', 'by-sender'] as const
type Name = (typeof PERSONS)[number]

const emailOf = (name: Name): string => `${name}@example.com`

interface Reported {
  readonly recipient: string
  readonly message: string
}

let reports = 0

const multipart = (type: string, ...parts: readonly (readonly [type: string, text: string])[]): string =>
  [
    'From: MAILER-DAEMON@example.net',
    `Message-ID: <report-${++reports}@example.net>`,
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=${type}; boundary="the-boundary"`,
    '',
    ...parts.flatMap(([kind, text]) => ['--the-boundary', `Content-Type: ${kind}`, '', text, '']),
    '--the-boundary--',
    '',
  ].join('\r\n')

/** That a mail to this address could not be delivered. */
const bounce = (address: string): string =>
  multipart('delivery-status', [
    'message/delivery-status',
    `Reporting-MTA: dns; mx.example.net\r\n\r\nFinal-Recipient: rfc822; ${address}\r\nAction: failed\r\nStatus: 5.1.1`,
  ])

/** That the reader of this address complained about a mail with this link to unsubscribe. */
const complaint = (address: string, token: string): string =>
  multipart(
    'feedback-report',
    ['message/feedback-report', `Feedback-Type: abuse\r\nVersion: 1\r\nOriginal-Rcpt-To: ${address}`],
    ['message/rfc822', `To: ${address}\r\nList-Unsubscribe: <https://rollcall.example/unsubscribe/${token}>\r\n\r\nx`],
  )

/** A mail is sent from `name+id.day.signature@domain`. */
const tagOf = (from: string): string[] => from.slice(from.indexOf('+') + 1, from.indexOf('@')).split('.')
const tagged = (...tag: readonly (string | number | undefined)[]): string => BASE.replace('@', `+${tag.join('.')}@`)

/** Reports of mail servers, by what is wrong with them. */
const misdirected = (mails: Mails): Readonly<Record<string, Reported>> => {
  const [victim, attacker] = [emailOf('victim'), emailOf('attacker')]
  const [theirs = '', own = ''] = [victim, attacker].map((address) => mails.of(address)[0]?.from)
  const [id, day, signature] = tagOf(theirs)
  const message = bounce(victim)
  const to = (recipient: string): Reported => ({ recipient, message })
  const complaining = (token = ''): Reported => ({ recipient: BASE, message: complaint(victim, token) })
  return {
    'to the address without a tag': to(BASE),
    'to the address of another subscription': to(own),
    'with the signature of another subscription': to(tagged(id, day, tagOf(own)[2])),
    'with a made-up signature': to(tagged(id, day, '0'.repeat(signature?.length ?? 0))),
    'with no signature': to(tagged(id, day)),
    'of another day': to(tagged(id, Number(day) - 1, signature)),
    'to another domain': to(theirs.replace(/@.*/, '@example.org')),
    'to the address of the victim': to(victim),
    'that complains with a made-up link': complaining(`${id}.${'0'.repeat(32)}`),
    'that complains with a link of another kind': complaining(mails.token(victim, 'confirm')),
    'that complains with a link of the attacker': complaining(mails.token(attacker, 'unsubscribe')),
  }
}

/** Feedback that is forged, or that came to the wrong place: each would keep mails from somebody. */
export const feedback: Attack = {
  name: 'feedback',
  stores: ['sqlite', 'postgres'],
  run: async (context): Promise<readonly Row[]> => {
    await using mails = await Mails.open()
    await using target = await Target.open(context, { SMTP_URL: mails.url, BOUNCE_ADDRESS: BASE })
    const admin = await target.token('root', 'admin')
    const ids: Partial<Record<Name, number>> = {}
    for (const name of PERSONS) {
      const { body } = await target.signUp(emailOf(name))
      ids[name] = (JSON.parse(body) as { subscription: { id: number } }).subscription.id
      await target.ask(`POST /confirm/${await mails.comingToken(emailOf(name), 'confirm')}`, { form: {} })
    }
    /** Everything that is known of a person, but for the time at which it is asked. */
    const knownOf = async (name: Name): Promise<string> => {
      const { body } = await target.ask(`GET /subscriptions/explain?email=${emailOf(name)}`, { token: admin })
      const { suppression, deliverability, subscriptions } = JSON.parse(body) as Record<string, unknown>
      return JSON.stringify({ suppression, deliverability, subscriptions })
    }
    const unharmed = await knownOf('victim')
    const believed = async <Forged>(
      forged: Readonly<Record<string, Forged>>,
      send: (one: Forged) => Promise<unknown>,
    ) => {
      const through: string[] = []
      for (const [name, one] of Object.entries(forged)) {
        await send(one)
        if ((await knownOf('victim')) === unharmed) continue
        through.push(name)
        break
      }
      return through
    }
    /** @throws {Error} what is genuine is not believed: then what is forged is not, either, for another reason */
    const requireBelieved = async (name: Name, send: () => Promise<unknown>): Promise<void> => {
      const before = await knownOf(name)
      await send()
      if ((await knownOf(name)) === before) throw new Error(`genuine feedback of ${name} is not believed`)
    }
    const handIn = ({ recipient, message }: Reported) =>
      target.run(['feedback', 'dsn', '--recipient', recipient], message)
    const forged = misdirected(mails)
    const byReport = await believed(forged, handIn)
    const address = emailOf('by-report')
    await requireBelieved('by-report', () =>
      handIn({ recipient: mails.of(address)[0]?.from ?? '', message: bounce(address) }),
    )

    await target.ask('PUT /feeds/news', { token: admin, json: {} })
    const issued = async (...args: readonly string[]) =>
      (await target.succeed('token', 'issue', '--subject', 'mailer', ...args)).trim()
    const report = (token: string) => (item: object) => target.ask('POST /feedback', { token, json: { items: [item] } })
    const at = new Date().toISOString()
    const bounced = { kind: 'bounce', permanent: true, at }
    const items = {
      'a bounce': { ...bounced, subscription: ids.victim },
      'a bounce with a status': { ...bounced, status: '5.1.1', subscription: ids.victim },
      'a complaint': { kind: 'complaint', subscription: ids.victim, at },
      'a bounce of an address': { ...bounced, address: emailOf('victim') },
      'a complaint of an address': { kind: 'complaint', address: emailOf('victim'), at },
    }
    const strangers = [await issued('--role', 'sender', '--feed', 'news'), await issued('--role', 'auditor'), 'x']
    const bySenders: string[] = []
    for (const token of strangers) bySenders.push(...(await believed(items, report(token))))
    const sender = report(await issued('--role', 'sender', '--feed', 'default'))
    await requireBelieved('by-sender', () => sender({ ...bounced, subscription: ids['by-sender'] }))
    return [
      counted('reports of mail servers, believed of another', Object.keys(forged).length, byReport),
      counted('feedback of senders for other feeds, and of others, believed', strangers.length * 5, bySenders),
    ]
  },
}
