import { DatabaseSync } from 'node:sqlite'

/** How many there are of what, for so many subscriptions. */
const SHARES = { subscription: 1, user: 1, record: 1, tenth: 10, hundredth: 100 } as const

const FEEDS = 10
const DAY = 86_400_000
const NEVER = 9_007_199_254_740_991

/** A table of one column, `n`, from 1 to a number. */
const numbers = (last: number): string =>
  `(WITH RECURSIVE number (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM number WHERE n < ${last}) SELECT n FROM number)`
const text = (number: string, digits: number): string => `printf('%0${digits}d', ${number})`
const hash = (number: string): string => `printf('%032x', ${number})`

/** All different, and in no order. */
const shuffled = (modulus: number): string => `(n * 25214903917 % ${modulus} + 1)`

/**
 * As many subscriptions, users and audit records as rows, and of everything else that a screen lists a tenth or a
 * hundredth: by statements, because through the service they would take hours. No mail is due, and no record is sealed.
 */
const statements = (rows: number, now: number): readonly string[] => {
  const of = (share: keyof typeof SHARES) => numbers(Math.ceil(rows / SHARES[share]))
  const name = `'reader.' || ${text('n', 9)}`
  const terms = `'["brian","example.com","' || ${name} || '@example.com","smith"]'`
  const days = Array.from({ length: 29 }, (_, n) => Math.floor(now / DAY) - n)
  const counts = days.flatMap((day) =>
    ['requested', 'mailed', 'confirmed'].map((what) => `('default', ${day}, '${what}', ${rows})`),
  )
  return [
    `INSERT INTO feed (name, title, description, wordings, return_urls, open, created_at, updated_at)
      SELECT 'feed-' || ${text('n', 1)}, 'A feed', '', '[]', '[]', 1, 1, 1 FROM ${numbers(FEEDS - 1)}`,
    `INSERT INTO subscription (id, feed, email, address_key, address, name, terms, status, episode, created_at, confirmed_at, ended_at, expires_at)
      SELECT ${shuffled(281474976710656)}, CASE n % ${FEEDS} WHEN 0 THEN 'default' ELSE 'feed-' || (n % ${FEEDS}) END,
        ${name} || '@example.com', ${name} || '@example.com', ${hash('n')}, 'Brian Smith', ${terms},
        CASE WHEN n % 4 = 0 THEN 'p' WHEN n % 1000 = 1 THEN 'e' ELSE 'c' END, '0123456789abcdef', ${now} - n,
        CASE WHEN n % 4 = 0 THEN NULL ELSE ${now} END, CASE WHEN n % 1000 = 1 THEN ${now} ELSE NULL END,
        CASE WHEN n % 4 = 0 THEN ${NEVER} ELSE NULL END FROM ${of('subscription')}`,
    `INSERT INTO user_account (id, email, email_key, name, roles, terms, created_at, updated_at)
      SELECT ${name}, ${name} || '@example.com', ${name} || '@example.com', 'Brian Smith',
        CASE WHEN n % 100 = 0 THEN '["auditor"]' ELSE '[]' END, ${terms}, ${now}, ${now} FROM ${of('user')}`,
    `INSERT INTO user_role (role, user_seq) SELECT 'auditor', seq FROM user_account WHERE id LIKE 'reader.%' AND roles = '["auditor"]'`,
    `INSERT INTO audit_record (sequence, at, actor, role_source, channel, action, target, outcome, count)
      SELECT n + (SELECT coalesce(max(sequence), 0) FROM audit_record), ${now}, 'operator:filler', 'operator', 'cli',
        'user.put', ${name}, 'done', 1 FROM ${of('record')}`,
    `INSERT INTO audit_seal (last, first, hash, at, mac)
      SELECT max(sequence), (SELECT coalesce(max(last), 0) + 1 FROM audit_seal), 'x', ${now}, 'x' FROM audit_record`,
    `INSERT INTO suppression (address, cause, since) SELECT ${hash('n')}, 'refused', ${now} FROM ${of('tenth')}`,
    `INSERT INTO deliverability (address, state, since, status, days, expires_at)
      SELECT ${hash('n + 1000000000')}, 'undeliverable', ${now}, '5.1.1', '[]', ${NEVER} FROM ${of('tenth')}`,
    `INSERT INTO identity (id, deleted_at, audit, users, roles, subscriptions, mails, subscriptions_kept, tokens)
      SELECT 'gone.' || ${text('n', 9)}, ${now}, n, 1, 0, 0, 0, 0, 0 FROM ${of('tenth')}`,
    `INSERT INTO event (position, type, subject, at, feed)
      SELECT n + (SELECT coalesce(max(position), 0) FROM event), 'subscription.pending', ${text('n', 1)}, ${now}, 'default' FROM ${of('tenth')}`,
    `INSERT INTO number_delta (feed, day, what, count) VALUES ${counts.join(', ')}`,
    `INSERT INTO outbox (kind, subscription_id, address, message_id, created_at, not_before, attempts, last_error, parked_at)
      SELECT 'confirmation', n, ${hash('n')}, ${text('n', 9)} || '@example.com', ${now}, ${now}, 9, '550 no such mailbox', ${now} FROM ${of('hundredth')}`,
    `INSERT INTO webhook (name, url, types, secret, disabled_because, disabled_since, created_at, updated_at, cursor)
      SELECT 'hook-' || ${text('n', 2)}, 'https://hook.example.com/', 'subscription.pending', 'x', 'operator', ${now}, ${now}, ${now},
        (SELECT max(position) FROM event) FROM ${numbers(20)}`,
    `INSERT INTO webhook_delivery (webhook, position, type, subject, at, created_at, not_before, attempts, last_error, parked_at)
      SELECT 'hook-01', n, 'subscription.pending', ${text('n', 1)}, ${now}, ${now}, ${now}, 9, '500', ${now} FROM ${of('hundredth')}`,
    `INSERT INTO access_token (jti, subject, roles, label, issued_by, issued_at, expires_at)
      SELECT ${text('n', 9)}, 'mailer', '["sender"]', 'a machine', 'operator:filler', ${now}, ${now} + ${DAY} FROM ${of('hundredth')}`,
    `INSERT INTO waiting_feedback (caller, channel, kind, address, mailbox, permanent, status, at, since)
      SELECT 'mailer', 'http', 'bounce', ${hash('n')}, ${hash('n')}, 1, '5.1.1', ${now}, ${now} FROM ${of('hundredth')}`,
  ]
}

/** A database that is migrated, and that nothing works on meanwhile. */
export const fillSqlite = (file: string, rows: number, now = Date.now()): void => {
  const database = new DatabaseSync(file)
  try {
    // What is lost in a crash meanwhile is filled again.
    for (const setting of ['synchronous = OFF', 'cache_size = -262144', 'wal_autocheckpoint = 100000'])
      database.exec(`PRAGMA ${setting}`)
    for (const statement of statements(rows, now)) database.prepare(statement).run()
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    database.close()
  }
}
