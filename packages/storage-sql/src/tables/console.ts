import type {
  ConsoleSessionReader,
  ConsoleSessionStore,
  DeletionRun,
  DeletionRunReader,
  DeletionRunStore,
  Door,
  LoginLinkStore,
  RoleSource,
  RunRow,
} from '@rollcall/core'
import { all, change, changeOne, find, first, type Methods, page, pruneBefore, write } from './methods.ts'
import {
  columnsOf,
  countedTable,
  excluded,
  insertInto,
  json,
  mapping,
  type RowOf,
  table,
  text,
  whole,
} from './table.ts'

export const CONSOLE_SESSION = countedTable('console_session', {
  seq: whole(),
  id: text(),
  secret_hash: text(),
  subject: text(),
  role_source: text<RoleSource>(),
  roles: json<readonly string[]>(),
  token_id: text<string | null>(),
  issued_at: whole(),
  created_at: whole(),
  seen_at: whole(),
  expires_at: whole(),
  door: text<Door>(),
  feeds: json<readonly string[] | undefined>(),
})

const SESSION = mapping(CONSOLE_SESSION, 'seq')
type SessionRow = RowOf<typeof CONSOLE_SESSION>
const SESSIONS = `SELECT seq, ${SESSION.columns.join(', ')} FROM console_session`
const ALL_SESSIONS = `${SESSIONS} WHERE seq > ? ORDER BY seq LIMIT +?`
const SESSIONS_OF = `${SESSIONS} WHERE subject = ? AND seq > ? ORDER BY seq LIMIT +?`

export const CONSOLE_SESSION_READER: Methods<ConsoleSessionReader> = {
  find: find(
    `${SESSIONS} WHERE secret_hash = ?`,
    (hash) => [hash],
    (row: SessionRow) => SESSION.toRecord(row),
  ),
  list: page(
    ({ subject }) => (subject === undefined ? ALL_SESSIONS : SESSIONS_OF),
    'seq',
    (row: SessionRow) => SESSION.toRecord(row),
    ({ subject, after }, most) => (subject === undefined ? [after, most] : [subject, after, most]),
  ),
}

export const CONSOLE_SESSION_STORE: Methods<ConsoleSessionStore> = {
  ...CONSOLE_SESSION_READER,
  add: write(insertInto('console_session', SESSION.columns), (session) => SESSION.toValues(session)),
  touch: write('UPDATE console_session SET seen_at = ? WHERE id = ?', (id, seenAt) => [seenAt, id]),
  remove: changeOne('DELETE FROM console_session WHERE id = ?', (id) => [id]),
  eraseOf: write('DELETE FROM console_session WHERE subject = ?', (subject) => [subject]),
  // A tombstone is looked up for each session: those are few, and tombstones are many.
  prune: change(
    `DELETE FROM console_session WHERE seq IN
      (SELECT seq FROM console_session WHERE expires_at < ? OR seen_at < ?
        OR (SELECT 1 FROM identity WHERE identity.id = console_session.subject AND deleted_at IS NOT NULL) = 1 ORDER BY seq LIMIT +?)`,
    ({ now, idleSince }, limit) => [now, idleSince, limit],
  ),
}

export const LOGIN_LINK = table('login_link', 1, {
  secret_hash: text(),
  subject: text(),
  expires_at: whole(),
  door: text<Door>(),
  issued_at: whole(),
})
const LINK = mapping(LOGIN_LINK)

export const LOGIN_LINK_STORE: Methods<LoginLinkStore> = {
  add: write(insertInto('login_link', LINK.columns), (link) => LINK.toValues(link)),
  find: find(
    `SELECT ${LINK.columns.join(', ')} FROM login_link WHERE secret_hash = ?`,
    (hash) => [hash],
    (row: RowOf<typeof LOGIN_LINK>) => LINK.toRecord(row),
  ),
  remove: changeOne('DELETE FROM login_link WHERE secret_hash = ?', (hash) => [hash]),
  eraseOf: write('DELETE FROM login_link WHERE subject = ?', (subject) => [subject]),
  prune: pruneBefore('login_link', 'secret_hash', 'expires_at'),
}

export const DELETION_RUN = table('deletion_run', 1, {
  id: text(),
  owner: text(),
  created_at: whole(),
  expires_at: whole(),
  record: text(),
})
const RUN_COLUMNS = columnsOf(DELETION_RUN)

const toRun = ({ record }: { readonly record: string }): DeletionRun => JSON.parse(record)

const RUNS = 'SELECT record FROM deletion_run'

export const DELETION_RUN_READER: Methods<DeletionRunReader> = {
  find: find(`${RUNS} WHERE id = ?`, (id) => [id], toRun),
  part: first(
    'SELECT record FROM deletion_run_part WHERE run = ? AND part = +?',
    (id, part) => [id, part],
    (row: { record: string } | undefined): readonly RunRow[] => (row === undefined ? [] : JSON.parse(row.record)),
  ),
  listOf: all(`${RUNS} WHERE owner = ? ORDER BY created_at DESC LIMIT +?`, (owner, limit) => [owner, limit], toRun),
}

export const DELETION_RUN_STORE: Methods<DeletionRunStore> = {
  ...DELETION_RUN_READER,
  put: write(
    `${insertInto('deletion_run', RUN_COLUMNS)} ON CONFLICT (id) DO UPDATE SET ${excluded(RUN_COLUMNS.slice(1))}`,
    (run) => [run.id, run.owner, run.createdAt, run.expiresAt, JSON.stringify(run)],
  ),
  putPart: write(
    `INSERT INTO deletion_run_part (run, part, record) VALUES (?, ?, ?)
      ON CONFLICT (run, part) DO UPDATE SET record = excluded.record`,
    (id, part, rows) => [id, part, JSON.stringify(rows)],
  ),
  prune: pruneBefore('deletion_run', 'id', 'expires_at'),
}
