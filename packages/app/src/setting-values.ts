import { asciiDomain } from '@rollcall/core'
import { parseSmtpTimeouts, type SmtpTimeouts } from '@rollcall/mail/smtp-timeouts'
import { nodeDomainNames, parseDuration } from '@rollcall/platform-node'
import { type AddressRange, parseAddressRange } from '@rollcall/webhook/address-range'
import * as v from 'valibot'
import { parseRateLimit, type RateLimit } from './abuse/parse-rate-limit.ts'

export const oneOf = <const Values extends readonly string[]>(...values: Values) =>
  v.picklist(values, `use one of ${values.join(', ')}.`)

export const port = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,4}$/, 'use a number from 1 to 65535.'),
  v.transform(Number),
  v.maxValue(65_535, 'use a number from 1 to 65535.'),
)

export const host = v.pipe(v.string(), v.regex(/^[A-Za-z0-9.:_-]+$/, 'use a host name or an IP address.'))

export const rateLimit = v.pipe(
  v.string(),
  v.transform((text) => (text === 'off' ? text : parseRateLimit(text))),
  v.custom<RateLimit | 'off'>(
    (limit) => limit !== undefined,
    "use <count>/<duration>, such as 20/1m, of a second to a day; or 'off'.",
  ),
)

export const duration = (shortest: number, longest: number, allowed: string) =>
  v.pipe(
    v.string(),
    v.transform(parseDuration),
    v.number(`use ${allowed}.`),
    v.minValue(shortest, `use ${allowed}.`),
    v.maxValue(longest, `use ${allowed}.`),
  )

export const smtpTimeouts = v.pipe(
  v.string(),
  v.transform(parseSmtpTimeouts),
  v.custom<SmtpTimeouts>(
    (timeouts) => timeouts !== undefined,
    'use a time of 1s to 1h for any of connect, greeting, command, data, block and dot, such as command=1m,dot=20m.',
  ),
)

export const perSecond = v.pipe(
  v.string(),
  v.regex(/^(off|\d{1,6})$/, "use how many a second, from 0 to 999999; or 'off'."),
  v.transform((text) => (text === 'off' ? Number.POSITIVE_INFINITY : Number(text))),
)

export const url = (protocols: readonly string[], allowed: string) =>
  v.pipe(
    v.string(),
    v.check((text) => protocols.includes(URL.parse(text)?.protocol ?? ''), `use ${allowed}.`),
  )

/** A text that another package checks. */
export const free = (problem: (text: string) => string | undefined) =>
  v.pipe(
    v.string(),
    v.rawCheck(({ dataset, addIssue }) => {
      const message = dataset.typed ? problem(dataset.value) : undefined
      if (message !== undefined) addIssue({ message })
    }),
  )

export const origin = v.pipe(
  url(
    ['http:', 'https:'],
    'an address such as https://news.example.com, without a path, a query or a slash at the end',
  ),
  v.check(
    // What is no such address at all is told by then.
    (text) => [undefined, 'null', text].includes(URL.parse(text)?.origin),
    ({ input }) => `use ${URL.parse(input)?.origin}, nothing after it.`,
  ),
)

/** Texts with spaces, commas or line breaks between them. */
export const words = v.pipe(
  v.string(),
  v.transform((text) => text.split(/[\s,]+/).filter(Boolean)),
)

export const addressRanges = v.pipe(
  words,
  v.transform((ranges) => ranges.map(parseAddressRange)),
  v.custom<AddressRange[]>(
    (ranges) => Array.isArray(ranges) && !ranges.includes(undefined),
    'use addresses or ranges of them such as 10.0.0.0/8, with spaces or commas between them.',
  ),
)

export const publicUrl = v.pipe(
  url(['http:', 'https:'], 'an address such as https://news.example.com'),
  v.check((text) => {
    const { username, password } = new URL(text)
    return `${username}${password}` === '' && !/[?#]/.test(text)
  }, 'use an address without a user, a query or a fragment.'),
  v.transform((text) => new URL(text).href.replace(/\/+$/, '')),
)

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

// What SQLite itself takes for a database in memory would be the odd name of a file here.
// Two slashes would begin a host, and a question mark what SQLite takes for parameters.
const SQLITE = /^sqlite:(?:\/\/(?=\/))?(?!\/*:memory:|file:|\/\/[^/])([^?]*[^?\s][^?]*)$/

export type DatabaseUrl = { readonly sqlite: string } | { readonly postgres: string }

const POSTGRES = /^postgres(?:ql)?:\/\/./
// Of several servers the first: URLs as such know of one.
const OTHER_SERVERS = /(?<=^[a-z]+:\/\/[^/?#]*?),[^/?#@]*(?=[/?#]|$)/

const postgresIn = (text: string): URL | null =>
  POSTGRES.test(text) ? URL.parse(text.replace(OTHER_SERVERS, '')) : null

export const databaseUrl = v.pipe(
  v.string(),
  v.check(
    (text) => SQLITE.test(text) || postgresIn(text) !== null,
    'use sqlite:<file>, such as sqlite:./data/rollcall.db, on a disk and not in memory; or postgres://user:password@host/database.',
  ),
  v.check((text) => {
    const { username = '', password = '', pathname = '' } = postgresIn(text) ?? {}
    return [username, password, pathname].every(isDecodable)
  }, 'a percent sign in the user, the password or the database is written as %25.'),
  v.transform(
    (text): DatabaseUrl => (POSTGRES.test(text) ? { postgres: text } : { sqlite: SQLITE.exec(text)?.[1] ?? text }),
  ),
)

/** Undefined if the text is not an address of a database. */
export const parseDatabaseUrl = (text: string): DatabaseUrl | undefined => {
  const { success, output } = v.safeParse(databaseUrl, text)
  return success ? output : undefined
}

// Room for what marks the mail: the part in front of the @ may have 64 characters.
const BOUNCE_ADDRESS =
  /^[a-z0-9](?:[a-z0-9._-]{0,18}[a-z0-9])?@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

export const bounceAddress = v.pipe(
  v.string(),
  v.transform((text) => text.toLowerCase()),
  v.regex(
    BOUNCE_ADDRESS,
    'use an address such as bounces@news.example.com, with at most 20 letters and digits before the @ and no plus sign.',
  ),
  v.maxLength(200, 'use an address of at most 200 characters.'),
)

const TOPIC = /^arn:aws:sns:[a-z]{2}(?:-[a-z]{2,12}){1,2}-\d{1,2}:\d{12}:[A-Za-z0-9_-]{1,256}$/

export const sesTopics = v.pipe(
  words,
  v.array(
    v.pipe(
      v.string(),
      v.regex(
        TOPIC,
        'use ARNs of topics such as arn:aws:sns:eu-west-1:123456789012:bounces, with spaces between them.',
      ),
    ),
  ),
)

export const imapUrl = v.pipe(
  url(['imaps:'], 'imaps://user:password@host/folder'),
  v.check((text) => {
    const { hostname, username, password } = new URL(text)
    return hostname !== '' && username !== '' && password !== '' && !/[?#]/.test(text)
  }, 'use imaps://user:password@host/folder, with @, : and / in the user and the password as %40, %3A and %2F.'),
  v.check((text) => {
    const { username, password, pathname } = new URL(text)
    return [username, password, pathname].every(isDecodable)
  }, 'a percent sign in the user, the password or the folder is written as %25.'),
)

const A_DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** Lists of such domains have a line for each, and comments. */
export const domains = v.pipe(
  v.string(),
  v.transform((text) => text.replace(/#.*/g, '')),
  words,
  v.rawTransform(({ dataset: { value: names }, addIssue, NEVER }) => {
    const found = names.map((name) => asciiDomain(name.replace(/^(?:@|\*?\.)/, ''), nodeDomainNames) ?? '')
    const wrong = names[found.findIndex((name) => !A_DOMAIN.test(name))]
    if (wrong === undefined) return found
    const message = `'${wrong.slice(0, 100)}' is none: use domains such as disposable.example, with spaces or commas between them, or a line for each.`
    addIssue({ message })
    return NEVER
  }),
)

export const sendgridKey = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9+/]{40,400}={0,2}$/, 'use the verification key that SendGrid shows for its event webhook.'),
)

export const postmarkSecret = v.pipe(
  v.string(),
  v.regex(/^[\w.~-]{16,200}$/, 'use 16 to 200 letters and digits that cannot be guessed.'),
)
