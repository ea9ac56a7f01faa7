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
import { TIMEOUTS_TEXT } from '@rollcall/mail/smtp-timeouts'
import * as v from 'valibot'
import {
  addressRanges,
  bounceAddress,
  databaseUrl,
  domains,
  duration,
  free,
  host,
  imapUrl,
  oneOf,
  origin,
  perSecond,
  port,
  postmarkSecret,
  publicUrl,
  rateLimit,
  sendgridKey,
  sesTopics,
  smtpTimeouts,
  url,
  words,
} from './setting-values.ts'

interface About {
  readonly group:
    | 'Storage'
    | 'Secrets'
    | 'Addresses'
    | 'Mail'
    | 'Identity provider'
    | 'Visitors'
    | 'Events'
    | 'Console'
    | 'Operation'
  /** What it is for, in Markdown; links are those of a page in `docs/reference`. */
  readonly text: string
  /** What holds without it, if it has no default. */
  readonly without?: string
  /** Whoever knows it can do harm: the chart takes it from a Secret alone. */
  readonly secret?: true
}

type Setting = v.GenericSchema<string, unknown>

/** What a setting takes, what it is for, and its default: the reference, `--help` and the tests of `deploy` read it here. */
function setting<S extends Setting>(schema: S, about: About): v.OptionalSchema<S, undefined>
function setting<S extends Setting>(
  schema: S,
  about: About,
  preset: v.InferInput<S>,
): v.OptionalSchema<S, v.InferInput<S>>
function setting(schema: Setting, about: About, preset?: string) {
  return v.optional(v.pipe(schema, v.metadata({ about })), preset)
}

/** Every setting by its name without the prefix; a bad value is answered with what is allowed. */
export const SETTINGS = v.object({
  DATABASE_URL: setting(databaseUrl, {
    group: 'Storage',
    text: 'where the data is: `sqlite:<file>`, or `postgres://user:password@host:port/database` with up to five hosts, separated by commas. See [PostgreSQL](postgresql.md)',
    without: '`rollcall.db` in the data folder',
    secret: true,
  }),
  DATABASE_SCHEMA: setting(
    v.pipe(
      v.string(),
      v.regex(
        /^(?!pg_)[a-z_][a-z0-9_]{0,62}$/,
        'use lower-case letters, digits and underscores, not beginning with pg_, such as rollcall.',
      ),
    ),
    {
      group: 'Storage',
      text: 'the schema of the PostgreSQL database that all tables are in; made by the first start if it is not there. Tables of other applications beside it do no harm',
      without: '`public`',
    },
  ),
  DATA_DIR: setting(
    v.string(),
    {
      group: 'Storage',
      text: 'the folder of database, secret, keys and mail files; only the user of the service can read it. See [files](files.md)',
    },
    './data',
  ),
  SECRET: setting(v.pipe(v.string(), v.minLength(32, 'use at least 32 characters that cannot be guessed.')), {
    group: 'Secrets',
    text: 'keys hashes, ids and seals; signs no link. See [the secret](files.md#the-secret)',
    without: 'made on the first start, in `data/secret`',
    secret: true,
  }),
  AUDIT_ANCHOR: setting(
    v.pipe(v.string(), v.regex(/[^/\\]$/, 'use the path of a file, such as /var/lib/rollcall-anchor/seal.')),
    {
      group: 'Storage',
      text: 'the file that holds the newest seal of the [audit trail](audit-trail.md) outside the database; its folder must exist',
      without: '`audit-anchor` in the data folder',
    },
  ),
  LINK_KEYS: setting(v.string(), {
    group: 'Secrets',
    text: 'a JWK set that signs links in mails. See [the link keys](files.md#the-link-keys)',
    without: 'made on the first start, in `data/link-keys.json`',
    secret: true,
  }),
  SIGNING_KEYS: setting(v.string(), {
    group: 'Secrets',
    text: 'a JWK set that signs [access tokens](access-tokens.md)',
    without: 'made on the first start, in `data/signing-keys.json`',
    secret: true,
  }),
  HOST: setting(host, { group: 'Addresses', text: 'the address to listen on' }, '127.0.0.1'),
  PORT: setting(port, { group: 'Addresses', text: 'the port to listen on' }, '8080'),
  PUBLIC_URL: setting(publicUrl, {
    group: 'Addresses',
    text: 'what links in mails begin with; required when the host is not loopback',
    without: '`http://<host>:<port>`',
  }),
  SMTP_URL: setting(url(['smtp:', 'smtps:'], 'smtp://user:password@host:port, or smtps://'), {
    group: 'Mail',
    text: 'the [mail](mail.md) relay',
    without: 'mails become files in `data/mail`',
    secret: true,
  }),
  SMTP_TIMEOUTS: setting(
    smtpTimeouts,
    {
      group: 'Mail',
      text: 'how long the relay may take for each part of a dialogue; what is not named keeps its default. See [mail](mail.md#a-slow-relay)',
    },
    TIMEOUTS_TEXT,
  ),
  MAIL_FROM: setting(
    v.string(),
    { group: 'Mail', text: 'the sender, and the address that receives bounces' },
    'Rollcall <no-reply@localhost>',
  ),
  BOUNCE_ADDRESS: setting(bounceAddress, {
    group: 'Mail',
    text: 'the address that mails come back to, such as `bounces@news.example.com`; each mail marks it, so that a report is believed. See the [guide](../guides/feedback.md#postfix).',
    without: 'that of `ROLLCALL_MAIL_FROM`, and reports are not read',
  }),
  FEEDBACK_IMAP_URL: setting(imapUrl, {
    group: 'Mail',
    text: 'the mailbox that reports come to, such as `imaps://user:password@imap.example.com/Bounces`; needs `ROLLCALL_BOUNCE_ADDRESS`. See the [guide](../guides/feedback.md#a-mailbox).',
    without: 'none is read',
    secret: true,
  }),
  FEEDBACK_SES_TOPICS: setting(
    sesTopics,
    {
      group: 'Mail',
      text: 'ARNs of the topics of Amazon SNS that `POST /feedback/ses` believes, with spaces between them. See the [guide](../guides/feedback.md#amazon-ses).',
      without: 'none is believed',
    },
    '',
  ),
  FEEDBACK_POSTMARK_SECRET: setting(postmarkSecret, {
    group: 'Mail',
    text: 'the password with which Postmark comes to `POST /feedback/postmark`. See the [guide](../guides/feedback.md#postmark).',
    without: 'Postmark is not believed',
    secret: true,
  }),
  FEEDBACK_SENDGRID_KEY: setting(sendgridKey, {
    group: 'Mail',
    text: 'the key by which SendGrid signs for `POST /feedback/sendgrid`, as SendGrid shows it. See the [guide](../guides/feedback.md#sendgrid).',
    without: 'SendGrid is not believed',
  }),
  AUTH_ISSUER: setting(free(issuerProblem), {
    group: 'Identity provider',
    text: 'the provider whose access tokens are taken instead of own ones. See the [guide](../guides/identity-providers.md)',
    without: 'own tokens',
  }),
  AUTH_AUDIENCE: setting(words, {
    group: 'Identity provider',
    text: 'the name of this service at the provider; several are separated by spaces or commas',
    without: 'required with an issuer',
  }),
  AUTH_AUDIENCE_CLAIM: setting(
    oneOf(...AUDIENCE_CLAIMS),
    {
      group: 'Identity provider',
      text: 'the claim that holds that name. `client_id` and `azp` are for a provider that puts no `aud` into access tokens, such as Amazon Cognito: they say which program asked for a token, not for which service',
    },
    'aud',
  ),
  AUTH_JWKS_URL: setting(free(jwksUrlProblem), {
    group: 'Identity provider',
    text: 'where the keys of the provider are fetched, if this machine does not reach the issuer: an inner address, such as `http://keycloak:8080/realms/staff/protocol/openid-connect/certs`. Plain http is for hosts of your own network',
    without: 'where the issuer says',
  }),
  AUTH_ROLES_CLAIM: setting(free(claimProblem), {
    group: 'Identity provider',
    text: 'the claim that holds the roles: its name, or a JSON pointer',
    without: '`roles`',
  }),
  AUTH_ROLE_MAP: setting(v.pipe(free(roleMapProblem), v.transform(parseNamesMap)), {
    group: 'Identity provider',
    text: 'what groups or roles of the provider are here, such as `/rollcall/admin=admin,0a1b=auditor`; with it, names that it lacks are no roles. A comma in a name is written `%2C`',
    without: 'the names at the claim are the roles',
  }),
  AUTH_SUBJECT_CLAIM: setting(free(subjectClaimProblem), {
    group: 'Identity provider',
    text: 'the claim that holds the id of the user, such as `oid` of Microsoft Entra ID. It must never change or go to another person, so never `email`, `upn` or `preferred_username`; the database remembers it, and refuses another',
    without: '`sub`',
  }),
  AUTH_FEEDS_CLAIM: setting(free(claimProblem), {
    group: 'Identity provider',
    text: 'the claim that holds the feeds that a `sender` is bound to: its name, or a JSON pointer; an array, or one string with spaces between. Where it is set, a token of a sender that lacks it is bound to no feed',
    without: 'senders are not bound',
  }),
  AUTH_ACCEPT_ID_TOKENS: setting(
    oneOf('on', 'off'),
    {
      group: 'Identity provider',
      text: '`on` takes ID tokens as well, for a provider that issues nothing else, such as Firebase. See [access tokens](access-tokens.md)',
    },
    'off',
  ),
  RATE_LIMIT: setting(
    rateLimit,
    {
      group: 'Visitors',
      text: 'how often one client may subscribe, ask for its preferences, and try links that are not valid; `off`, also for the limit of networks. See [limits](limits.md)',
    },
    '20/1m',
  ),
  TRUST_PROXY: setting(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,2}$/, 'use the number of proxies to believe, from 0 to 99.'),
      v.transform(Number),
    ),
    {
      group: 'Addresses',
      text: 'how many proxies in front to trust (`X-Forwarded-For`). See [limits](limits.md#requests-per-client)',
    },
    '0',
  ),
  BLOCKED_DOMAINS: setting(
    domains,
    {
      group: 'Visitors',
      text: 'domains that nobody signs up with, nor with those within them: the answer is the same, and nothing is kept. `ROLLCALL_BLOCKED_DOMAINS_FILE` names a list with a line for each. See [limits](limits.md#blocked-domains)',
      without: 'none is blocked',
    },
    '',
  ),
  CHALLENGE: setting(
    oneOf('off', 'altcha'),
    { group: 'Visitors', text: '`altcha` asks browsers for a [proof of work](limits.md#proof-of-work)' },
    'off',
  ),
  CONFIRM_TTL: setting(
    duration(60_000, LONGEST_LINK_LIFE, 'a duration from 1m to 366d, such as 7d'),
    {
      group: 'Visitors',
      text: 'how long a confirmation link is valid; after that the pending subscription is removed with its data, or ends again if it had ended before',
    },
    '7d',
  ),
  DELETE_GRACE: setting(
    duration(0, 366 * 86_400_000, 'a duration from 0s to 366d, such as 30d'),
    {
      group: 'Operation',
      text: 'above 0s: a deletion cuts access and hides the user at once, can be undone during this time, and erases at its end',
    },
    '0s',
  ),
  CORS_ORIGINS: setting(
    v.pipe(words, v.array(origin)),
    {
      group: 'Addresses',
      text: "which sites' scripts may use `/subscribe` and `/challenge`, separated by spaces or commas",
    },
    '',
  ),
  WEBHOOK_ALLOW: setting(
    addressRanges,
    {
      group: 'Events',
      text: 'private addresses that [events](events.md) may be sent to, such as `10.1.0.0/16 ::1`; plain http is allowed there',
    },
    '',
  ),
  LOG_LEVEL: setting(
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
    { group: 'Operation', text: 'what is logged; requests are at `debug`' },
    'info',
  ),
  LOG_FORMAT: setting(oneOf('pretty', 'json'), {
    group: 'Operation',
    text: 'how it is logged',
    without: '`pretty` on a terminal, else `json`',
  }),
  CONSOLE_PORT: setting(port, {
    group: 'Console',
    text: 'the port of the [console](../guides/console.md), which the port of the service never shows',
    without: 'no console',
  }),
  CONSOLE_HOST: setting(host, { group: 'Console', text: 'the address of the console' }, '127.0.0.1'),
  CONSOLE_URL: setting(origin, {
    group: 'Console',
    text: 'where browsers find the console, where a proxy is in front of it; https, except on loopback',
    without: '`http://<host>:<port>`; required where the host is not loopback',
  }),
  CONSOLE_CLIENT_ID: setting(v.string(), {
    group: 'Console',
    text: 'the console as the identity provider knows it, to log in there',
    without: 'login by link only',
  }),
  CONSOLE_CLIENT_SECRET: setting(v.string(), {
    group: 'Console',
    text: 'its secret',
    without: 'a public client, which PKCE alone protects',
    secret: true,
  }),
  CONSOLE_SCOPE: setting(
    v.pipe(
      v.string(),
      v.check(
        (text) => text.split(/\s+/).includes('openid'),
        'use scopes with `openid` among them, such as `openid email`.',
      ),
    ),
    { group: 'Console', text: 'the scopes that the console asks for; `openid` is one of them' },
    'openid',
  ),
  METRICS_PORT: setting(port, {
    group: 'Operation',
    text: 'the port of `GET /metrics`. See [metrics](metrics.md)',
    without: 'no metrics',
  }),
  METRICS_HOST: setting(host, { group: 'Operation', text: 'the address of `GET /metrics`' }, '127.0.0.1'),
  TRACING_RATE: setting(
    perSecond,
    {
      group: 'Operation',
      text: 'how many traces at most begin in a second here, on average, so that they cost a busy service next to nothing; `off` for no limit',
    },
    '10',
  ),
  TRACE: setting(
    oneOf('on', 'off'),
    { group: 'Operation', text: '`off` answers TRACE with 405. See [TRACE](limits.md#trace)' },
    'on',
  ),
  SHUTDOWN_DELAY: setting(
    duration(0, 3_600_000, 'a duration from 0s to 1h, such as 10s'),
    {
      group: 'Operation',
      text: 'how long the service keeps answering after `SIGTERM` while `/readyz` is 503: longer than your load balancer takes to notice',
    },
    '0s',
  ),
  SHUTDOWN_TIMEOUT: setting(
    duration(0, 3_600_000, 'a duration from 0s to 1h, such as 10s'),
    { group: 'Operation', text: 'how long a stop waits for requests in flight' },
    '10s',
  ),
})

export type SettingName = keyof typeof SETTINGS.entries

export const aboutSetting = (name: SettingName): About =>
  (v.getMetadata(SETTINGS.entries[name].wrapped) as { readonly about: About }).about

/** What command lines take: about another service, and of no meaning to this one. */
export const OF_COMMANDS: readonly string[] = ['SERVER', 'TOKEN_FILE']
