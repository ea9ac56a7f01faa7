import type {
  AddressHash,
  Backlog,
  NewRequest,
  PublicRequest,
  RequestReader,
  RequestStore,
  WaitingRequest,
} from '@rollcall/core'
import { parkedOrNot } from './leases.ts'
import { all, change, changeOne, erasing, first, type Methods, page, pruneBefore, write } from './methods.ts'
import { type Cell, columnsOf, countedTable, insertInto, mapping, type RowOf, text, whole } from './table.ts'

export const SIGN_UP_REQUEST = countedTable('sign_up_request', {
  id: whole(),
  at: whole(),
  address: text<AddressHash | null>(),
  kind: text<PublicRequest['kind']>(),
  /** The rest of what is asked, as JSON. */
  asked: text(),
  parked_at: whole<number | null>(),
  error: text<string | null>(),
  trace_context: text<string | null>(),
})

export type RequestRow = RowOf<typeof SIGN_UP_REQUEST>

const COLUMNS = columnsOf(SIGN_UP_REQUEST).join(', ')
const WAITING = mapping(SIGN_UP_REQUEST, 'kind', 'asked')
const NEW = mapping(SIGN_UP_REQUEST, 'id', 'parked_at', 'error', 'kind', 'asked')
export const NEW_REQUEST = [...NEW.columns, 'kind', 'asked']

export const toRequest = (row: RequestRow): WaitingRequest => ({
  ...WAITING.toRecord(row),
  asked: { kind: row.kind, ...JSON.parse(row.asked) },
})

/** In the order of `NEW_REQUEST`. */
export const newRequestValues = ({ asked: { kind, ...asked }, ...request }: NewRequest): Cell[] => [
  ...[...NEW.toValues(request), kind, JSON.stringify(asked)],
]

// One subquery for each row, by the index of those that are parked: a join could walk the table.
const IN_TURN = `parked_at IS NULL AND (SELECT 1 FROM sign_up_request AS parked
  WHERE parked.parked_at IS NOT NULL AND parked.address = request.address AND parked.id < request.id LIMIT 1) IS NULL`

/** So many are counted, and no more. */
const MOST_COUNTED = 50_001

const FIRST_IN_TURN = `FROM sign_up_request AS request WHERE ${IN_TURN} ORDER BY id`

interface BacklogRow {
  readonly parked: number
  readonly oldest: number | null
  readonly newest: number | null
  readonly since: number | null
}

export const REQUEST_READER: Methods<RequestReader> = {
  backlog: first(
    `SELECT (SELECT count(*) FROM sign_up_request WHERE parked_at IS NOT NULL) AS parked,
      (SELECT id ${FIRST_IN_TURN} LIMIT 1) AS oldest, (SELECT id ${FIRST_IN_TURN} DESC LIMIT 1) AS newest,
      (SELECT at ${FIRST_IN_TURN} LIMIT 1) AS since`,
    () => [],
    (row: BacklogRow | undefined): Backlog => {
      const { parked = 0, oldest = null, newest = null, since = null } = row ?? {}
      const ends = oldest === null || newest === null ? undefined : { oldest, newest, since: since ?? 0 }
      return { parked, ends }
    },
  ),
  count: first(
    `SELECT count(*) AS count FROM (SELECT 1 FROM sign_up_request AS request WHERE ${IN_TURN}
      LIMIT ${MOST_COUNTED}) AS counted`,
    () => [],
    (row: { readonly count: number } | undefined): number => row?.count ?? 0,
  ),
  ofAddress: all(
    `WITH own AS MATERIALIZED (SELECT ${COLUMNS} FROM sign_up_request WHERE address IS NOT NULL AND address = ?)
      SELECT * FROM own ORDER BY id`,
    (address) => [address],
    toRequest,
  ),
  list: page(
    parkedOrNot(`SELECT ${COLUMNS} FROM sign_up_request WHERE`, 'id > ? ORDER BY id LIMIT +?'),
    'id',
    toRequest,
  ),
}

export const REQUEST_STORE: Methods<RequestStore> = {
  ...REQUEST_READER,
  take: all(`SELECT ${COLUMNS} ${FIRST_IN_TURN} LIMIT +?`, (limit) => [limit], toRequest),
  remove: write('DELETE FROM sign_up_request WHERE id IN @wholes', (ids) => [ids]),
  add: write(insertInto('sign_up_request', NEW_REQUEST), newRequestValues),
  takeOf: all(
    `WITH request AS MATERIALIZED
      (SELECT ${COLUMNS} FROM sign_up_request WHERE address IS NOT NULL AND address IN @texts)
    SELECT ${COLUMNS} FROM request WHERE ${IN_TURN} ORDER BY id`,
    (addresses) => [addresses],
    toRequest,
  ),
  // What is dropped and not carried out.
  removeOf: erasing(
    change('DELETE FROM sign_up_request WHERE address IS NOT NULL AND address = ?', (address) => [address]),
  ),
  park: write('UPDATE sign_up_request SET parked_at = ?, error = ? WHERE id = ?', (id, at, error) => [at, error, id]),
  retry: changeOne(
    'UPDATE sign_up_request SET parked_at = NULL, error = NULL WHERE id = ? AND parked_at IS NOT NULL',
    (id) => [id],
  ),
  prune: erasing(pruneBefore('sign_up_request', 'id', 'parked_at')),
}
