import type { Mailbox } from '../../../proving/shared/mailbox.ts'
import { answerOnce, askOnce } from '../raw.ts'
import type { Target } from '../target.ts'

/** The service, and what reaches the mailboxes of its victims. */
export interface Siege {
  readonly target: Target
  readonly mailbox: Mailbox
  /** A token of an administrator, who can be careless or deceived. */
  readonly admin: string
  readonly feeds: readonly string[]
}

/** A way to have mails sent to one mailbox. */
export interface MailPath {
  readonly name: string
  /** Under which the mailbox can be reached. All of them are one mailbox. */
  readonly addresses: readonly string[]
  /** Tries once more. */
  step(siege: Siege, address: string, n: number): Promise<unknown>
}

const FORM = 'Content-Type: application/x-www-form-urlencoded'
const JSON_TYPE = 'Content-Type: application/json'

const post = (target: Target, path: string, fields: Readonly<Record<string, string>>, more: readonly string[] = []) =>
  askOnce(target.port, `POST ${path}`, [FORM, ...more], new URLSearchParams(fields).toString())

/** From another network each time. */
const from = (n: number): string => `X-Forwarded-For: 10.${(n >> 8) & 255}.${n & 255}.1`

const subscribe: MailPath['step'] = ({ target }, email, n) => post(target, '/subscribe', { email }, [from(n)])

const follow = async ({ target, mailbox }: Siege, address: string, link: 'confirm' | 'refuse' | 'unsubscribe') => {
  const token = mailbox.token(address, link)
  if (token !== undefined) await post(target, `/${link}/${token}`, { 'List-Unsubscribe': 'One-Click' })
}

const eachForm: MailPath['step'] = ({ target }, email, n) => {
  const ways = [
    () => post(target, '/subscribe', { email }, [from(n)]),
    () => post(target, '/subscribe', { email, locale: 'de' }, [from(n), 'Accept: text/html']),
    () => askOnce(target.port, 'POST /subscribe', [JSON_TYPE, from(n)], JSON.stringify({ email })),
  ]
  return (ways[n % ways.length] ?? ways[0])?.() ?? Promise.resolve()
}

const ofFeeds: MailPath['step'] = ({ target, feeds }, email, n) =>
  post(target, '/subscribe', { email, feed: feeds[n % feeds.length] ?? '' }, [from(n)])

const ofPreferences: MailPath['step'] = async (siege, email, n) => {
  if (n === 0) await subscribe(siege, email, n)
  return await post(siege.target, '/preferences', { email }, [from(n)])
}

/** Once each of these, over and over; what needs a link waits for it. */
const after =
  (...links: readonly ('confirm' | 'refuse' | 'unsubscribe')[]): MailPath['step'] =>
  async (siege, email, n) => {
    await subscribe(siege, email, n)
    for (const link of links) await follow(siege, email, link)
  }

const erased: MailPath['step'] = async (siege, email, n) => {
  const { target, admin } = siege
  const answer = await answerOnce(target.port, 'POST /subscribe', [FORM], new URLSearchParams({ email }).toString())
  const id = /"id":(\d+)/.exec(answer)?.[1]
  // It stays for a moment, so that its mail may go out.
  if (n % 4 === 3) await askOnce(target.port, `DELETE /subscriptions/${id}`, [`Authorization: ${admin}`])
}

const imported: MailPath['step'] = async ({ target, admin, feeds }, email, n) => {
  const row = JSON.stringify({ email, feed: feeds[n % feeds.length], status: 'pending' })
  const fields = [`Authorization: ${admin}`, 'Content-Type: application/x-ndjson']
  return await askOnce(target.port, 'POST /subscriptions/import?mail=send', fields, `${row}\n`)
}

const NUMBERS = Array.from({ length: 40 }, (_, n) => n)
/** With dots between letters, as the bits say. */
const dotted = (text: string, bits: number): string =>
  Array.from(text, (letter, n) => (n > 0 && bits & (1 << n) ? `.${letter}` : letter)).join('')

const SIMPLE: readonly MailPath[] = [
  { name: 'forms, JSON and pages, from many networks', addresses: ['forms@victim.example'], step: eachForm },
  { name: 'several feeds', addresses: ['feeds@victim.example'], step: ofFeeds },
  { name: 'plus tags', addresses: NUMBERS.map((n) => `tags+${n}@victim.example`), step: subscribe },
  {
    name: 'dots, tags and both domains of Gmail',
    addresses: NUMBERS.map(
      (n) => `${dotted('gmailvictim', 2 * n)}${n % 3 ? '' : `+${n}`}@${n % 2 ? 'gmail' : 'googlemail'}.com`,
    ),
    step: subscribe,
  },
  {
    name: 'upper and lower case',
    addresses: ['case@victim.example', 'CASE@VICTIM.EXAMPLE', 'Case@Victim.Example', 'cAsE@victim.EXAMPLE'],
    step: subscribe,
  },
  {
    name: 'spellings of one domain and one name',
    addresses: [
      ...['idn@bücher.example', 'idn@xn--bcher-kva.example', 'idn@BÜCHER.example', 'idn@bu\u0308cher.example'],
      ...['idn@ｂücher.example', 'idn@bücher。example'],
    ],
    step: subscribe,
  },
  { name: 'preferences', addresses: ['preferences@victim.example'], step: ofPreferences },
  { name: 'sign-ups after the confirmation', addresses: ['confirmed@victim.example'], step: after('confirm') },
  { name: 'sign-ups after a refusal', addresses: ['refused@victim.example'], step: after('refuse') },
  { name: 'sign-ups after the end', addresses: ['ended@victim.example'], step: after('confirm', 'unsubscribe') },
  { name: 'sign-ups after an erasure', addresses: ['erased@victim.example'], step: erased },
  { name: 'imports with mails, and tags', addresses: NUMBERS.map((n) => `import+${n}@victim.example`), step: imported },
]

const STEPS = [eachForm, ofFeeds, ofPreferences, imported, erased, after('confirm'), after('confirm', 'unsubscribe')]

export const MAIL_PATHS: readonly MailPath[] = [
  ...SIMPLE,
  {
    name: 'all of this against one mailbox',
    addresses: ['All@victim.example', ...NUMBERS.map((n) => `all+${n}@victim.example`)],
    step: async (siege, address, n) => await STEPS[n % STEPS.length]?.(siege, address, n),
  },
]
