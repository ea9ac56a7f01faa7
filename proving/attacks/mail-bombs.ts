import { setTimeout as sleep } from 'node:timers/promises'
import { Mails } from '../shared/mails.ts'
import type { Row } from '../shared/report.ts'
import { Target } from '../shared/target.ts'
import { waitUntil } from '../shared/wait-until.ts'
import type { Attack } from './attacks.ts'

/** Milliseconds: less than the ten minutes in which an address gets one mail. */
const LASTS = 30_000
const MOST_MAILS = 1
const PAUSE = 200

/** The service, and what reaches the mailboxes of its victims. */
interface Siege {
  readonly target: Target
  readonly mails: Mails
  /** A token of an administrator, who can be careless or deceived. */
  readonly admin: string
  readonly feeds: readonly string[]
}

/** Tries once more to have a mail sent to the address. */
type Step = (siege: Siege, email: string, n: number) => Promise<unknown>

/** From another network each time. */
const from = (n: number) => ({ 'X-Forwarded-For': `10.${(n >> 8) & 255}.${n & 255}.1` })

const subscribe: Step = ({ target }, email, n) => target.ask('POST /subscribe', { form: { email }, headers: from(n) })

const WAYS: readonly Step[] = [
  subscribe,
  ({ target }, email, n) =>
    target.ask('POST /subscribe', { form: { email, locale: 'de' }, headers: { ...from(n), Accept: 'text/html' } }),
  ({ target }, email, n) => target.ask('POST /subscribe', { json: { email }, headers: from(n) }),
]
const eachForm: Step = async (siege, email, n) => await WAYS[n % WAYS.length]?.(siege, email, n)

const toFeeds: Step = ({ target, feeds }, email, n) =>
  target.ask('POST /subscribe', { form: { email, feed: feeds[n % feeds.length] ?? '' }, headers: from(n) })

const askForPreferences: Step = async (siege, email, n) => {
  if (n === 0) await subscribe(siege, email, n)
  await siege.target.ask('POST /preferences', { form: { email }, headers: from(n) })
}

/** Signs up and follows these links, over and over; what needs a link waits for it. */
const after =
  (...links: readonly ('confirm' | 'refuse' | 'unsubscribe')[]): Step =>
  async (siege, email, n) => {
    await subscribe(siege, email, n)
    for (const link of links) {
      const token = siege.mails.token(email, link)
      if (token !== undefined)
        await siege.target.ask(`POST /${link}/${token}`, { form: { 'List-Unsubscribe': 'One-Click' } })
    }
  }

const afterErasure: Step = async ({ target, admin }, email, n) => {
  const { body } = await target.signUp(email)
  const id = /"id":(\d+)/.exec(body)?.[1]
  // It stays for a moment, so that its mail may go out.
  if (n % 4 === 3) await target.ask(`DELETE /subscriptions/${id}`, { token: admin })
}

const imported: Step = ({ target, admin, feeds }, email, n) =>
  target.ask('POST /subscriptions/import?mail=send', {
    token: admin,
    headers: { 'Content-Type': 'application/x-ndjson' },
    body: `${JSON.stringify({ email, feed: feeds[n % feeds.length], status: 'pending' })}\n`,
  })

const ALL = [
  eachForm,
  toFeeds,
  askForPreferences,
  imported,
  afterErasure,
  after('confirm'),
  after('confirm', 'unsubscribe'),
]
const everything: Step = async (siege, email, n) => await ALL[n % ALL.length]?.(siege, email, n)

const NUMBERS = Array.from({ length: 40 }, (_, n) => n)
const tags = (name: string): string[] => NUMBERS.map((n) => `${name}+${n}@victim.example`)
/** With dots between letters, as the bits say. */
const dotted = (text: string, bits: number): string =>
  Array.from(text, (letter, n) => (n > 0 && bits & (1 << n) ? `.${letter}` : letter)).join('')
const GMAIL = NUMBERS.map(
  (n) => `${dotted('gmailvictim', 2 * n)}${n % 3 ? '' : `+${n}`}@${n % 2 ? 'gmail' : 'googlemail'}.com`,
)
const CASES = ['case@victim.example', 'CASE@VICTIM.EXAMPLE', 'Case@Victim.Example', 'cAsE@victim.EXAMPLE']
const DOMAINS = [
  'bücher.example',
  'xn--bcher-kva.example',
  'BÜCHER.example',
  'bu\u0308cher.example',
  'ｂücher.example',
  'bücher。example',
]

/** Ways to have mails sent to one mailbox, with the addresses under which it can be reached. */
const PATHS: readonly (readonly [name: string, addresses: readonly string[], step: Step])[] = [
  ['forms, JSON and pages, from many networks', ['forms@victim.example'], eachForm],
  ['several feeds', ['feeds@victim.example'], toFeeds],
  ['plus tags', tags('tags'), subscribe],
  ['dots, tags and both domains of Gmail', GMAIL, subscribe],
  ['upper and lower case', CASES, subscribe],
  ['spellings of one domain', DOMAINS.map((domain) => `idn@${domain}`), subscribe],
  ['preferences', ['preferences@victim.example'], askForPreferences],
  ['sign-ups after the confirmation', ['confirmed@victim.example'], after('confirm')],
  ['sign-ups after a refusal', ['refused@victim.example'], after('refuse')],
  ['sign-ups after the end', ['ended@victim.example'], after('confirm', 'unsubscribe')],
  ['sign-ups after an erasure', ['erased@victim.example'], afterErasure],
  ['imports with mails, and tags', tags('import'), imported],
  ['all of this against one mailbox', ['All@victim.example', ...tags('all')], everything],
]

/** As they are in envelopes: the domain in ASCII; the name as it was submitted, or in lower case. */
const mailsTo = (mails: Mails, addresses: readonly string[]): number => {
  const spellings = addresses.flatMap((address) => {
    const [name = '', domain = ''] = address.split('@')
    const host = new URL(`http://${domain}`).hostname
    return [`${name}@${host}`, `${name.toLowerCase()}@${host}`]
  })
  const copies = mails.duplicates.filter(({ again }) => spellings.includes(again.to)).length
  return [...new Set(spellings)].reduce((sum, address) => sum + mails.of(address).length, copies)
}

/** Mails to one mailbox that somebody else has asked for, again and again; if the store takes several, by two instances. */
export const mailBombs: Attack = {
  name: 'mail-bombs',
  about: 'mails to one mailbox that somebody else has asked for',
  stores: ['sqlite', 'postgres'],
  run: async (context): Promise<readonly Row[]> => {
    await using owned = new AsyncDisposableStack()
    const mails = owned.use(await Mails.open())
    const settings = { SMTP_URL: mails.url, TRUST_PROXY: '1' }
    const first = owned.use(await Target.open(context, settings))
    const instances = [first]
    if (context.server !== undefined) {
      const second = owned.use(await first.beside())
      await second.start()
      instances.push(second)
    }
    const admin = await first.token('root', 'admin')
    const feeds = ['default', ...Array.from({ length: 10 }, (_, n) => `feed-${n}`)]
    for (const feed of feeds.slice(1)) await first.ask(`PUT /feeds/${feed}`, { token: admin, json: { title: feed } })
    const end = performance.now() + (context.isQuick ? LASTS / 5 : LASTS)
    for (let n = 0; performance.now() < end; n++) {
      const siege: Siege = { target: instances[n % instances.length] ?? first, mails, admin, feeds }
      await Promise.all(PATHS.map(([, addresses, step]) => step(siege, addresses[n % addresses.length] ?? '', n)))
      await sleep(PAUSE)
    }
    for (const [name, addresses] of PATHS) await waitUntil(() => mailsTo(mails, addresses) > 0, `a mail by ${name}`)
    return PATHS.map(([name, addresses]) => {
      return { figure: `mails in ten minutes by ${name}`, found: mailsTo(mails, addresses), bound: MOST_MAILS }
    })
  },
}
