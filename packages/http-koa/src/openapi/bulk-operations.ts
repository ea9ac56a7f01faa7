import * as core from '@rollcall/core/all'
import type { GuardedOperation, Route } from './operation.ts'

const SUMMARIES = {
  delete: 'Delete many users permanently, or say what that would do.',
  restore: 'Undo the deletions of many users within their grace period, or say what that would do.',
  suspend: 'Take access from many users, or say what that would do.',
  resume: 'Give access back to many suspended users, or say what that would do.',
  roles: 'Give many users roles and take others, or say what that would do.',
} as const satisfies Record<core.BulkChange, string>

const AGAIN =
  ' Each is changed by itself, and what refuses one is in its row. To be asked again after an answer that was lost: with the same X-Request-Id, `ours` tells what the request before has deleted.'

const operation = <Id extends string>(id: Id, change: core.BulkChange) => ({
  id,
  summary: SUMMARIES[change] + AGAIN,
  guarded: core.BULK_CHANGES[change].guarded,
  body: 'BulkForm' as const,
  ...{ jsonOnly: true, idempotent: true },
  answers: { 200: 'BulkReport' } as const,
})

/** What is done to many users at once. */
export const BULK_OPERATIONS = {
  'POST /bulk/users/delete': operation('deleteUsers', 'delete'),
  'POST /bulk/users/restore': operation('restoreUsers', 'restore'),
  'POST /bulk/users/suspend': operation('suspendUsers', 'suspend'),
  'POST /bulk/users/resume': operation('resumeUsers', 'resume'),
  'POST /bulk/users/roles': operation('changeRoles', 'roles'),
} as const satisfies Record<Route, GuardedOperation>
