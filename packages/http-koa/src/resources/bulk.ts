import {
  BULK_CHANGES,
  type BulkChange,
  type BulkRow,
  type ChangedRow,
  InvalidInput,
  MOST_CHANGED,
  type PlannedRow,
  publishedUser,
  timestamp,
} from '@rollcall/core'
import { operation, resource } from '../operation/operation.ts'
import * as s from '../operation/schema.ts'
import * as w from '../operation/words.ts'
import { endOfImport } from './files.ts'
import { result } from './record-of.ts'
import { User } from './user-record.ts'

const MOST = { minimum: 0, maximum: 999_999_999_999_999 }

const BulkForm = s.named(
  'BulkForm',
  s.closed(
    {
      users: s.list(
        s.closed(
          { id: s.text() },
          {
            state: s.text(
              'As a dry run gave it: refused if the user, or the time in which a deletion can be undone, is another by now.',
            ),
            subscriptions: s.integer(MOST, 'Likewise, how many subscriptions the same address had.'),
          },
        ),
        'Who comes twice is changed once, and reported once.',
        { minItems: 1, maxItems: MOST_CHANGED },
      ),
    },
    {
      dry_run: s.flag('Whether only to report what would happen, and change nothing.'),
      administrators_before: s.integer(
        MOST,
        "Of a dry run over a list in several requests: the 'administrators' of the one before.",
      ),
      reason: w.line(500, 'Why, for the audit trail; without the name and the address of any of the users.'),
      subscriptions: s.oneOf(
        ['keep', 'erase'],
        'Of a deletion: what becomes of the subscriptions of the same addresses.',
      ),
      add: w.roles('Of a change of roles.'),
      remove: w.roles('Likewise; one that is added as well stays.'),
    },
  ),
)

const BulkReport = s.named(
  'BulkReport',
  s.said(
    s.record(
      {
        users: s.arrayOf(
          s.record(
            {
              id: s.text(),
              outcome: s.oneOf(['changed', 'would-change', 'same', 'refused'], '`same`: it is so already.'),
            },
            {
              user: s.said(User, 'In a dry run, if it is there.'),
              state: s.text('What to send for it, to change it as it is now.'),
              subscriptions: s.said(w.count, 'How many subscriptions the same address has.'),
              subscriptions_erased: w.count,
              subscriptions_kept: w.count,
              erases_at: s.said(w.time, 'Of a deletion that can be undone: when everything is erased.'),
              error: s.text('Why it is refused.'),
              message: s.text(),
              ours: s.flag('Whether a request with the same X-Request-Id has deleted it.'),
            },
          ),
          'In the order of the request.',
        ),
      },
      {
        administrators: s.said(w.count, 'How many administrators a dry run would take away.'),
        grace: s.said(w.count, 'Of a dry run of a deletion: for how many seconds it could be undone; 0 if never.'),
        dry_run: endOfImport.dry_run,
      },
    ),
    'Each user is changed by itself, and what refuses one is in its row; but a reason that names one of them is refused before any is changed (422), and after the own deletion of the caller the others are refused as `Unauthenticated`. To be asked again after an answer that was lost: with the same X-Request-Id, `ours` tells what the request before has deleted.',
  ),
)

const changing = (change: BulkChange, id: string, summary: string) =>
  operation(`POST /bulk/users/${change}`, {
    id,
    summary,
    guarded: BULK_CHANGES[change].guarded,
    body: BulkForm,
    reads: 'json',
    example: { users: [{ id: 'jane' }], dry_run: true },
    idempotent: true,
    answers: { 200: BulkReport },
    handle: async ({ useCases, body, caller }) => {
      const { reason, subscriptions, add = [], remove = [] } = body
      const command = { change, rows: body.users.map(rowOf), reason, subscriptions, add, remove }
      const administratorsRemovedBefore = wholeNumber('administrators_before', body.administrators_before)
      if (body.dry_run !== true) {
        const rows = await useCases.changeUsers.execute(command, caller)
        return result({ users: rows.map(changedRecord) })
      }
      const plan = await useCases.planUserChanges.execute({ ...command, administratorsRemovedBefore }, caller)
      const { administratorsRemoved: administrators, grace } = plan
      return result({
        users: plan.rows.map(plannedRecord),
        administrators,
        ...(change === 'delete' && { grace: Math.floor(grace / 1_000) }),
        dry_run: true,
      })
    },
  })

export const bulk = resource('Users', [
  changing('delete', 'deleteUsers', 'Delete many users permanently, or say what that would do.'),
  changing(
    'restore',
    'restoreUsers',
    'Undo the deletions of many users within their grace period, or say what that would do.',
  ),
  changing('suspend', 'suspendUsers', 'Take access from many users, or say what that would do.'),
  changing('resume', 'resumeUsers', 'Give access back to many suspended users, or say what that would do.'),
  changing('roles', 'changeRoles', 'Give many users roles and take others, or say what that would do.'),
])

/** What a report says beside that: its rows may be sent as they came. */
const REPORTED: ReadonlySet<string> = new Set([
  ...['outcome', 'user', 'subscriptions_erased', 'subscriptions_kept', 'erases_at', 'error', 'message', 'ours'],
])

const rowOf = (given: unknown): BulkRow => {
  const row = typeof given === 'object' && given !== null && !Array.isArray(given) ? given : {}
  const { id, state, subscriptions, ...others } = row as Readonly<Record<string, unknown>>
  const unknown = Object.keys(others).find((name) => !REPORTED.has(name))
  if (unknown !== undefined) throw new InvalidInput([{ field: 'users', message: `A user has no '${unknown}' here.` }])
  if (typeof id === 'string' && isTextOr(state) && isCount(subscriptions ?? 0))
    return { id, state: state ?? undefined, subscriptions: (subscriptions as number | null | undefined) ?? undefined }
  const message = 'Give objects such as {"id": "jane"}, with \'state\' and \'subscriptions\' as a dry run gave them.'
  throw new InvalidInput([{ field: 'users', message }])
}

const isTextOr = (value: unknown): value is string | null | undefined => typeof (value ?? '') === 'string'
const isCount = (value: unknown): boolean =>
  Number.isSafeInteger(value) && Number(value) >= MOST.minimum && Number(value) <= MOST.maximum

const wholeNumber = (field: string, value: number | undefined): number | undefined => {
  if (value === undefined || isCount(value)) return value
  throw new InvalidInput([{ field, message: 'Give a whole number.' }])
}

const refusalRecord = ({ refusal }: ChangedRow | PlannedRow) =>
  refusal && {
    error: refusal.name,
    message:
      refusal instanceof InvalidInput ? refusal.details.map(({ message }) => message).join(' ') : refusal.message,
  }

const plannedRecord = (row: PlannedRow) => ({
  id: row.id,
  outcome: row.outcome,
  ...(row.user !== undefined && {
    user: publishedUser(row.user),
    state: row.state,
    subscriptions: row.subscriptions,
  }),
  ...refusalRecord(row),
  ours: row.ours,
})

const changedRecord = (row: ChangedRow) => ({
  id: row.id,
  outcome: row.outcome,
  subscriptions_erased: row.subscriptionsErased,
  subscriptions_kept: row.subscriptionsKept,
  ...(row.erasesAt !== undefined && { erases_at: timestamp(row.erasesAt) }),
  ...refusalRecord(row),
  ours: row.ours,
})
