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
  share,
  smtpTimeouts,
  url,
} from './setting-values.ts'

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
  FEEDBACK_IMAP_URL: v.optional(imapUrl),
  FEEDBACK_SES_TOPICS: v.optional(sesTopics, ''),
  FEEDBACK_POSTMARK_SECRET: v.optional(postmarkSecret),
  FEEDBACK_SENDGRID_KEY: v.optional(sendgridKey),
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
  BLOCKED_DOMAINS: v.optional(domains, ''),
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
