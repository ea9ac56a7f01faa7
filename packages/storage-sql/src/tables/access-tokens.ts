import type { AccessTokenReader, AccessTokenStore, FeedName, ListedToken } from '@rollcall/core'
import { change, erasing, find, first, type Methods, page, write } from './methods.ts'
import { columnsOf, countedTable, insertInto, json, mapping, type RowOf, table, text, whole } from './table.ts'

export const ACCESS_TOKEN = countedTable('access_token', {
  seq: whole(),
  jti: text(),
  subject: text(),
  roles: json<readonly string[]>(),
  feeds: json<readonly FeedName[] | undefined>(),
  label: text(),
  issued_by: text(),
  issued_at: whole(),
  expires_at: whole(),
  last_used_at: whole<number | null>(),
  revoked_at: whole<number | null>(),
})

/** Of all tokens that have not expired, also of identity providers; it is read for every request with a token. */
export const REVOKED_TOKEN = table('revoked_token', 1, { jti: text(), revoked_at: whole(), expires_at: whole() })

type AccessTokenRow = RowOf<typeof ACCESS_TOKEN>

const TOKEN = mapping(ACCESS_TOKEN, 'seq', 'jti')
const toListedToken = (row: AccessTokenRow): ListedToken => ({ tokenId: row.jti, ...TOKEN.toRecord(row) })

const TOKENS = `SELECT ${columnsOf(ACCESS_TOKEN).join(', ')} FROM access_token`
const ALL = `${TOKENS} WHERE seq > ? ORDER BY seq LIMIT +?`
const OF_SUBJECT = `${TOKENS} WHERE subject = ? AND seq > ? ORDER BY seq LIMIT +?`

export const ACCESS_TOKEN_READER: Methods<AccessTokenReader> = {
  find: find(`${TOKENS} WHERE jti = ?`, (tokenId) => [tokenId], toListedToken),
  list: page(
    ({ subject }) => (subject === undefined ? ALL : OF_SUBJECT),
    'seq',
    toListedToken,
    ({ subject, after }, most) => (subject === undefined ? [after, most] : [subject, after, most]),
  ),
  isRevoked: first(
    'SELECT 1 AS found FROM revoked_token WHERE jti = ?',
    (tokenId) => [tokenId],
    (row: object | undefined) => row !== undefined,
  ),
}

const pruned = (name: string): string =>
  `DELETE FROM ${name} WHERE jti IN (SELECT jti FROM ${name} WHERE expires_at < ? ORDER BY expires_at, jti LIMIT +?)`

export const ACCESS_TOKEN_STORE: Methods<AccessTokenStore> = {
  ...ACCESS_TOKEN_READER,
  add: write(insertInto('access_token', ['jti', ...TOKEN.columns]), (token) => [
    token.tokenId,
    ...TOKEN.toValues(token),
  ]),
  revoke: write(
    `${insertInto('revoked_token', columnsOf(REVOKED_TOKEN))} ON CONFLICT (jti) DO UPDATE
      SET expires_at = excluded.expires_at WHERE revoked_token.expires_at < excluded.expires_at`,
    ({ tokenId, at, until }) => [tokenId, at, until],
    write('UPDATE access_token SET revoked_at = ? WHERE jti = ? AND revoked_at IS NULL', ({ tokenId, at }) => [
      at,
      tokenId,
    ]),
  ),
  noteKeysRevoked: write('UPDATE access_token SET revoked_at = ? WHERE revoked_at IS NULL AND issued_at < ?', (at) => [
    at,
    at,
  ]),
  noteUse: write(
    'UPDATE access_token SET last_used_at = ? WHERE jti = ? AND coalesce(last_used_at, 0) < ?',
    (tokenId, at) => [at, tokenId, at],
  ),
  eraseOf: erasing(change('DELETE FROM access_token WHERE subject = ?', (subject) => [subject])),
  prune: change(pruned('access_token'), (before, limit) => [before, limit]),
  pruneRevocations: change(pruned('revoked_token'), (before, limit) => [before, limit]),
}
