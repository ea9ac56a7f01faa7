import {
  AUDIENCE_CLAIMS,
  claimProblem,
  issuerProblem,
  jwksUrlProblem,
  parseNamesMap,
  roleMapProblem,
  subjectClaimProblem,
} from '@rollcall/access-token/provider-settings'
import { LONGEST_LINK_LIFE } from '@rollcall/core'
import { parseSmtpTimeouts, type SmtpTimeouts, TIMEOUTS_TEXT } from '@rollcall/mail/smtp-timeouts'
import { parseDuration } from '@rollcall/platform-node'
import { type AddressRange, parseAddressRange } from '@rollcall/webhook/address-range'
import * as v from 'valibot'
import { parseRateLimit, type RateLimit } from './abuse/rate-limit.ts'

const oneOf = <const Values extends readonly string[]>(...values: Values) =>
  v.picklist(values, `use one of ${values.join(', ')}.`)

const port = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,4}$/, 'use a number from 1 to 65535.'),
  v.transform(Number),
  v.maxValue(65_535, 'use a number from 1 to 65535.'),
)

const host = v.pipe(v.string(), v.regex(/^[A-Za-z0-9.:_-]+$/, 'use a host name or an IP address.'))

const rateLimit = v.pipe(
  v.string(),
  v.transform((text) => (text === 'off' ? text : parseRateLimit(text))),
  v.custom<RateLimit | 'off'>(
    (limit) => limit !== undefined,
    "use <count>/<duration>, such as 20/1m, of a second to a day; or 'off'.",
  ),
)

const duration = (shortest: number, longest: number, allowed: string) =>
  v.pipe(
    v.string(),
    v.transform(parseDuration),
    v.number(`use ${allowed}.`),
    v.minValue(shortest, `use ${allowed}.`),
    v.maxValue(longest, `use ${allowed}.`),
  )

const smtpTimeouts = v.pipe(
  v.string(),
  v.transform(parseSmtpTimeouts),
  v.custom<SmtpTimeouts>(
    (timeouts) => timeouts !== undefined,
    'use a time of 1s to 1h for any of connect, greeting, command, data, block and dot, such as command=1m,dot=20m.',
  ),
)

const share = v.pipe(
  v.string(),
  v.regex(/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/, 'use a number from 0 to 1, such as 0.01.'),
  v.transform(Number),
)

const perSecond = v.pipe(
  v.string(),
  v.regex(/^(off|[1-9]\d{0,5})$/, "use how many a second, from 1 to 999999; or 'off'."),
  v.transform((text) => (text === 'off' ? Number.POSITIVE_INFINITY : Number(text))),
)

const url = (protocols: readonly string[], allowed: string) =>
  v.pipe(
    v.string(),
    v.check((text) => protocols.includes(URL.parse(text)?.protocol ?? ''), `use ${allowed}.`),
  )

/** A text that another package checks. */
const free = (problem: (text: string) => string | undefined) =>
  v.pipe(
    v.string(),
    v.rawCheck(({ dataset, addIssue }) => {
      const message = dataset.typed ? problem(dataset.value) : undefined
      if (message !== undefined) addIssue({ message })
    }),
  )

const origin = v.pipe(
  url(
    ['http:', 'https:'],
    'an address such as https://news.example.com, without a path, a query or a slash at the end',
  ),
  v.check(
    (text) => URL.parse(text)?.origin === text,
    'use an address such as https://news.example.com, nothing after it.',
  ),
)

const addressRanges = v.pipe(
  v.string(),
  v.transform((text) =>
    text
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(parseAddressRange),
  ),
  v.custom<AddressRange[]>(
    (ranges) => Array.isArray(ranges) && !ranges.includes(undefined),
    'use addresses or ranges of them such as 10.0.0.0/8, with spaces or commas between them.',
  ),
)

const publicUrl = v.pipe(
  url(['http:', 'https:'], 'an address such as https://news.example.com'),
  v.check((text) => {
    const { username, password, search, hash } = new URL(text)
    return `${username}${password}${search}${hash}` === ''
  }, 'use an address without a user, a query or a fragment.'),
  v.transform((text) => new URL(text).href.replace(/\/+$/, '')),
)

// What SQLite itself takes for a database in memory would be the odd name of a file here.
const SQLITE = /^sqlite:(?:\/\/(?=\/))?(?!\/*:memory:|file:)(.+)$/

/** Where the database is. */
export type DatabaseUrl = { readonly sqlite: string } | { readonly postgres: string }

const POSTGRES = /^postgres(?:ql)?:\/\/./
// Of several servers the first: URLs as such know of one.
const OTHER_SERVERS = /(?<=^[a-z]+:\/\/[^/?#]*?),[^/?#@]*(?=[/?#]|$)/

const isPostgres = (text: string): boolean => POSTGRES.test(text) && URL.canParse(text.replace(OTHER_SERVERS, ''))

const databaseUrl = v.pipe(
  v.string(),
  v.check(
    (text) => SQLITE.test(text) || isPostgres(text),
    'use sqlite:<file>, such as sqlite:./data/rollcall.db, on a disk and not in memory; or postgres://user:password@host/database.',
  ),
  v.transform(
    (text): DatabaseUrl => (POSTGRES.test(text) ? { postgres: text } : { sqlite: SQLITE.exec(text)?.[1] ?? text }),
  ),
)

/** Undefined where the text is not an address of a database. */
export const parseDatabaseUrl = (text: string): DatabaseUrl | undefined => {
  const { success, output } = v.safeParse(databaseUrl, text)
  return success ? output : undefined
}

// Room for what marks the mail: the part in front of the @ may have 64 characters.
const BOUNCE_ADDRESS =
  /^[a-z0-9](?:[a-z0-9._-]{0,18}[a-z0-9])?@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

const bounceAddress = v.pipe(
  v.string(),
  v.transform((text) => text.toLowerCase()),
  v.regex(
    BOUNCE_ADDRESS,
    'use an address such as bounces@news.example.com, with at most 20 letters and digits before the @ and no plus sign.',
  ),
  v.maxLength(200, 'use an address of at most 200 characters.'),
)

const TOPIC = /^arn:aws:sns:[a-z]{2}(?:-[a-z]{2,12}){1,2}-\d{1,2}:\d{12}:[A-Za-z0-9_-]{1,256}$/

const sesTopics = v.pipe(
  v.string(),
  v.transform((text) => text.split(/[\s,]+/).filter(Boolean)),
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

/** Every setting by its name without the prefix; a bad value is answered with what is allowed. */
export const SETTINGS = v.object({
  DATABASE_URL: v.optional(databaseUrl),
  DATABASE_SCHEMA: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(?!pg_)[a-z_][a-z0-9_]{0,62}$/, 'use lower-case letters, digits and underscores, such as rollcall.'),
    ),
  ),
  DATA_DIR: v.optional(v.string(), './data'),
  SECRET: v.optional(v.pipe(v.string(), v.minLength(32, 'use at least 32 characters that cannot be guessed.'))),
  AUDIT_ANCHOR: v.optional(
    v.pipe(v.string(), v.regex(/[^/\\]$/, 'use the path of a file, such as /var/lib/rollcall-anchor/seal.')),
  ),
  LINK_KEYS: v.optional(v.string()),
  SIGNING_KEYS: v.optional(v.string()),
  HOST: v.optional(host, '127.0.0.1'),
  PORT: v.optional(port, '8080'),
  PUBLIC_URL: v.optional(publicUrl),
  SMTP_URL: v.optional(url(['smtp:', 'smtps:'], 'smtp://user:password@host:port, or smtps://')),
  SMTP_TIMEOUTS: v.optional(smtpTimeouts, TIMEOUTS_TEXT),
  MAIL_FROM: v.optional(v.string(), 'Rollcall <no-reply@localhost>'),
  BOUNCE_ADDRESS: v.optional(bounceAddress),
  FEEDBACK_SES_TOPICS: v.optional(sesTopics, ''),
  AUTH_ISSUER: v.optional(free(issuerProblem)),
  AUTH_AUDIENCE: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text.split(/[\s,]+/).filter(Boolean)),
    ),
  ),
  AUTH_AUDIENCE_CLAIM: v.optional(oneOf(...AUDIENCE_CLAIMS), 'aud'),
  AUTH_JWKS_URL: v.optional(free(jwksUrlProblem)),
  AUTH_ROLES_CLAIM: v.optional(free(claimProblem)),
  AUTH_ROLE_MAP: v.optional(v.pipe(free(roleMapProblem), v.transform(parseNamesMap))),
  AUTH_SUBJECT_CLAIM: v.optional(free(subjectClaimProblem)),
  AUTH_FEEDS_CLAIM: v.optional(free(claimProblem)),
  AUTH_ACCEPT_ID_TOKENS: v.optional(oneOf('on', 'off'), 'off'),
  RATE_LIMIT: v.optional(rateLimit, '20/1m'),
  TRUST_PROXY: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,2}$/, 'use the number of proxies to believe, from 0 to 99.'),
      v.transform(Number),
    ),
    '0',
  ),
  CHALLENGE: v.optional(oneOf('off', 'altcha'), 'off'),
  CONFIRM_TTL: v.optional(duration(60_000, LONGEST_LINK_LIFE, 'a duration from 1m to 366d, such as 7d'), '7d'),
  DELETE_GRACE: v.optional(duration(0, 366 * 86_400_000, 'a duration from 0s to 366d, such as 30d'), '0s'),
  CORS_ORIGINS: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text.split(/[\s,]+/).filter(Boolean)),
      v.array(origin),
    ),
    '',
  ),
  WEBHOOK_ALLOW: v.optional(addressRanges, ''),
  LOG_LEVEL: v.optional(oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'), 'info'),
  LOG_FORMAT: v.optional(oneOf('pretty', 'json')),
  CONSOLE_PORT: v.optional(port),
  CONSOLE_HOST: v.optional(host, '127.0.0.1'),
  CONSOLE_URL: v.optional(origin),
  CONSOLE_CLIENT_ID: v.optional(v.string()),
  CONSOLE_CLIENT_SECRET: v.optional(v.string()),
  CONSOLE_SCOPE: v.optional(v.string(), 'openid'),
  METRICS_PORT: v.optional(port),
  METRICS_HOST: v.optional(host, '127.0.0.1'),
  TRACING_RATE: v.optional(perSecond, '10'),
  TRACING_RATIO: v.optional(share, '1'),
  TRACE: v.optional(oneOf('on', 'off'), 'on'),
  SHUTDOWN_DELAY: v.optional(duration(0, 3_600_000, 'a duration from 0s to 1h, such as 10s'), '0s'),
  SHUTDOWN_TIMEOUT: v.optional(duration(0, 3_600_000, 'a duration from 0s to 1h, such as 10s'), '10s'),
})

export type SettingName = keyof typeof SETTINGS.entries

/** What command lines take: about another service, and of no meaning to this one. */
export const OF_COMMANDS: readonly string[] = ['SERVER', 'TOKEN_FILE']

/** What documents of the first release called settings of the reader's own programs: ignored, not refused. */
export const OF_OTHER_PROGRAMS: readonly string[] = ['FEED', 'IMAGE', 'TOKEN', 'URL', 'WEBHOOK_SECRET']
