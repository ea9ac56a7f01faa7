import { MOST_CHANGED } from '@rollcall/core/all'
import * as s from './schema.ts'

/** What is sent to change many users, and what became of each. */
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
        maxItems: MOST_CHANGED,
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
              description: '`same`: it is so already.',
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
