import type { SettingName } from '../../packages/app/src/settings.ts'

export interface SettingText {
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
  readonly text: string
  /** What holds without it, where the schema has no default. */
  readonly without?: string
}

/** What each setting is for; a missing one does not compile. */
export const SETTING_TEXTS: Readonly<Record<SettingName, SettingText>> = {
  DATABASE_URL: {
    group: 'Storage',
    text: 'where the data is: `sqlite:<file>`, or `postgres://user:password@host:port/database` with up to five hosts, separated by commas. See [PostgreSQL](postgresql.md)',
    without: '`rollcall.db` in the data folder',
  },
  DATABASE_SCHEMA: {
    group: 'Storage',
    text: 'the schema of the PostgreSQL database that all tables are in; made by the first start if it is not there. Tables of other applications beside it do no harm',
    without: '`public`',
  },
  DATA_DIR: {
    group: 'Storage',
    text: 'the folder of database, secret, keys and mail files; only the user of the service can read it. See [files](files.md)',
  },
  AUDIT_ANCHOR: {
    group: 'Storage',
    text: 'the file that holds the newest seal of the [audit trail](audit-trail.md) outside the database; its folder must exist',
    without: '`audit-anchor` in the data folder',
  },
  SECRET: {
    group: 'Secrets',
    text: 'keys hashes, ids and seals; signs no link. See [the secret](files.md#the-secret)',
    without: 'made on the first start, in `data/secret`',
  },
  LINK_KEYS: {
    group: 'Secrets',
    text: 'a JWK set that signs links in mails. See [the link keys](files.md#the-link-keys)',
    without: 'made on the first start, in `data/link-keys.json`',
  },
  SIGNING_KEYS: {
    group: 'Secrets',
    text: 'a JWK set that signs [access tokens](access-tokens.md)',
    without: 'made on the first start, in `data/signing-keys.json`',
  },
  HOST: { group: 'Addresses', text: 'the address to listen on' },
  PORT: { group: 'Addresses', text: 'the port to listen on' },
  PUBLIC_URL: {
    group: 'Addresses',
    text: 'what links in mails begin with; required when the host is not loopback',
    without: '`http://<host>:<port>`',
  },
  TRUST_PROXY: {
    group: 'Addresses',
    text: 'how many proxies in front to trust (`X-Forwarded-For`). See [limits](limits.md#requests-per-client)',
  },
  CORS_ORIGINS: {
    group: 'Addresses',
    text: "which sites' scripts may use `/subscribe` and `/challenge`, separated by spaces or commas",
  },
  SMTP_URL: { group: 'Mail', text: 'the [mail](mail.md) relay', without: 'mails become files in `data/mail`' },
  SMTP_TIMEOUTS: {
    group: 'Mail',
    text: 'how long the relay may take for each part of a dialogue; what is not named keeps its default. See [mail](mail.md#a-slow-relay)',
  },
  MAIL_FROM: { group: 'Mail', text: 'the sender, and the address that receives bounces' },
  BOUNCE_ADDRESS: {
    group: 'Mail',
    text: 'the address that mails come back to, such as `bounces@news.example.com`; each mail marks it, so that a report is believed. See the [guide](../guides/feedback.md#postfix).',
    without: 'that of `ROLLCALL_MAIL_FROM`, and reports are not read',
  },
  FEEDBACK_SES_TOPICS: {
    group: 'Mail',
    text: 'ARNs of the topics of Amazon SNS that `POST /feedback/ses` believes, with spaces between them. See the [guide](../guides/feedback.md#amazon-ses).',
    without: 'none is believed',
  },
  FEEDBACK_IMAP_URL: {
    group: 'Mail',
    text: 'the mailbox that reports come to, such as `imaps://user:password@imap.example.com/Bounces`; needs `ROLLCALL_BOUNCE_ADDRESS`. See the [guide](../guides/feedback.md#a-mailbox).',
    without: 'none is read',
  },
  FEEDBACK_POSTMARK_SECRET: {
    group: 'Mail',
    text: 'the password with which Postmark comes to `POST /feedback/postmark`. See the [guide](../guides/feedback.md#postmark).',
    without: 'Postmark is not believed',
  },
  FEEDBACK_SENDGRID_KEY: {
    group: 'Mail',
    text: 'the key by which SendGrid signs for `POST /feedback/sendgrid`, as SendGrid shows it. See the [guide](../guides/feedback.md#sendgrid).',
    without: 'SendGrid is not believed',
  },
  AUTH_ISSUER: {
    group: 'Identity provider',
    text: 'the provider whose access tokens are taken instead of own ones. See the [guide](../guides/identity-providers.md)',
    without: 'own tokens',
  },
  AUTH_AUDIENCE: {
    group: 'Identity provider',
    text: 'the name of this service at the provider; several are separated by spaces or commas',
    without: 'required with an issuer',
  },
  AUTH_AUDIENCE_CLAIM: {
    group: 'Identity provider',
    text: 'the claim that holds that name. `client_id` and `azp` are for a provider that puts no `aud` into access tokens, such as Amazon Cognito: they say which program asked for a token, not for which service',
  },
  AUTH_JWKS_URL: {
    group: 'Identity provider',
    text: 'where the keys of the provider are fetched, if this machine does not reach the issuer: an inner address, such as `http://keycloak:8080/realms/staff/protocol/openid-connect/certs`. Plain http is for hosts of your own network',
    without: 'where the issuer says',
  },
  AUTH_ROLES_CLAIM: {
    group: 'Identity provider',
    text: 'the claim that holds the roles: its name, or a JSON pointer',
    without: '`roles`',
  },
  AUTH_ROLE_MAP: {
    group: 'Identity provider',
    text: 'what groups or roles of the provider are here, such as `/rollcall/admin=admin,0a1b=auditor`; with it, names that it lacks are no roles. A comma in a name is written `%2C`',
    without: 'the names at the claim are the roles',
  },
  AUTH_SUBJECT_CLAIM: {
    group: 'Identity provider',
    text: 'the claim that holds the id of the user, such as `oid` of Microsoft Entra ID. It must never change or go to another person, so never `email`, `upn` or `preferred_username`; the database remembers it, and refuses another',
    without: '`sub`',
  },
  AUTH_FEEDS_CLAIM: {
    group: 'Identity provider',
    text: 'the claim that holds the feeds that a `sender` is bound to: its name, or a JSON pointer; an array, or one string with spaces between. Where it is set, a token of a sender that lacks it is bound to no feed',
    without: 'senders are not bound',
  },
  AUTH_ACCEPT_ID_TOKENS: {
    group: 'Identity provider',
    text: '`on` takes ID tokens as well, for a provider that issues nothing else, such as Firebase. See [access tokens](access-tokens.md)',
  },
  RATE_LIMIT: {
    group: 'Visitors',
    text: 'how often one client may subscribe, ask for its preferences, and try links that are not valid; `off`, also for the limit of networks. See [limits](limits.md)',
  },
  BLOCKED_DOMAINS: {
    group: 'Visitors',
    text: 'domains that nobody signs up with, nor with those within them: the answer is the same, and nothing is kept. `ROLLCALL_BLOCKED_DOMAINS_FILE` names a list with a line for each. See [limits](limits.md#blocked-domains)',
    without: 'none is blocked',
  },
  CHALLENGE: { group: 'Visitors', text: '`altcha` asks browsers for a [proof of work](limits.md#proof-of-work)' },
  CONFIRM_TTL: {
    group: 'Visitors',
    text: 'how long a confirmation link is valid; after that the pending subscription is removed with its data',
  },
  DELETE_GRACE: {
    group: 'Operation',
    text: 'above 0s: a deletion cuts access and hides the user at once, can be undone during this time, and erases at its end',
  },
  WEBHOOK_ALLOW: {
    group: 'Events',
    text: 'private addresses that [events](events.md) may be sent to, such as `10.1.0.0/16 ::1`; plain http is allowed there',
  },
  LOG_LEVEL: { group: 'Operation', text: 'what is logged; requests are at `debug`' },
  LOG_FORMAT: { group: 'Operation', text: 'how it is logged', without: '`pretty` on a terminal, else `json`' },
  CONSOLE_PORT: {
    group: 'Console',
    text: 'the port of the [console](../guides/console.md), which the port of the service never shows',
    without: 'no console',
  },
  CONSOLE_HOST: { group: 'Console', text: 'the address of the console' },
  CONSOLE_URL: {
    group: 'Console',
    text: 'where browsers find the console, where a proxy is in front of it; https, except on loopback',
    without: '`http://<host>:<port>`; required where the host is not loopback',
  },
  CONSOLE_CLIENT_ID: {
    group: 'Console',
    text: 'the console as the identity provider knows it, to log in there',
    without: 'login by link only',
  },
  CONSOLE_CLIENT_SECRET: {
    group: 'Console',
    text: 'its secret',
    without: 'a public client, which PKCE alone protects',
  },
  CONSOLE_SCOPE: { group: 'Console', text: 'the scopes that the console asks for; `openid` is one of them' },
  METRICS_PORT: {
    group: 'Operation',
    text: 'the port of `GET /metrics`. See [metrics](metrics.md)',
    without: 'no metrics',
  },
  METRICS_HOST: { group: 'Operation', text: 'the address of `GET /metrics`' },
  TRACING_RATE: {
    group: 'Operation',
    text: 'how many traces at most begin in a second here, on average, so that they cost a busy service next to nothing; `off` for no limit',
  },
  TRACING_RATIO: {
    group: 'Operation',
    text: 'which share of the requests, mails and events that begin a trace are [traced](../guides/monitor.md#traces), where an OpenTelemetry SDK is loaded; what continues a sampled trace always is',
  },
  TRACE: { group: 'Operation', text: '`off` answers TRACE with 405. See [TRACE](limits.md#trace)' },
  SHUTDOWN_DELAY: {
    group: 'Operation',
    text: 'how long the service keeps answering after `SIGTERM` while `/readyz` is 503: longer than your load balancer takes to notice',
  },
  SHUTDOWN_TIMEOUT: { group: 'Operation', text: 'how long a stop waits for requests in flight' },
}
