import * as core from '@rollcall/core/all'
import type { GuardedOperation, Route } from './operation.ts'
import * as s from './schema.ts'

const SUMMARIES = {
  delete: 'Delete many users permanently, or say what that would do.',
  restore: 'Undo the deletions of many users within their grace period.',
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

export const BULK_SCHEMAS = {
  BulkForm: s.form(
    {
      users: {
        ...s.arrayOf(
          s.record(
            { id: s.text() },
            {
              state: s.text('As a dry run gave it: a user that is another by now is refused.'),
              subscriptions: { ...s.count, description: 'Likewise, how many subscriptions the same address had.' },
            },
          ),
          'Each once.',
        ),
        minItems: 1,
        maxItems: core.MOST_CHANGED,
      },
    },
    {
      dry_run: s.flag('Whether only to report what would happen, and change nothing.'),
      administrators_before: {
        ...s.count,
        description: "Of a dry run over a list in several requests: the 'administrators' of the one before.",
      },
      reason: s.line(500, 'Why, for the audit trail; without the name and the address of any of the users.'),
      subscriptions: {
        ...s.oneOf('keep', 'erase'),
        description: 'Of a deletion: what becomes of the subscriptions of the same addresses.',
      },
      add: { ...s.arrayOf(s.refer('Role'), 'Of a change of roles.') },
      remove: { ...s.texts, description: 'Likewise; one that is added as well stays.' },
    },
  ),
  BulkReport: s.record(
    {
      users: s.arrayOf(
        s.record(
          {
            id: s.text(),
            outcome: {
              ...s.oneOf('changed', 'would-change', 'same', 'refused'),
              description: '`same`: a dry run found that it is so already.',
            },
          },
          {
            user: { ...s.refer('User'), description: 'In a dry run, if it is there.' },
            state: s.text('What to send for it, to change it as it is now.'),
            subscriptions: { ...s.count, description: 'How many subscriptions the same address has.' },
            subscriptions_erased: s.count,
            subscriptions_kept: s.count,
            error: s.text('Why it is refused.'),
            message: s.text(),
            ours: s.flag('Whether a request with the same X-Request-Id has deleted it.'),
          },
        ),
        'In the order of the request.',
      ),
    },
    {
      administrators: { ...s.count, description: 'How many administrators a dry run would take away.' },
      dry_run: s.endOfImport.dry_run,
    },
  ),
} as const satisfies Record<string, s.Schema>
