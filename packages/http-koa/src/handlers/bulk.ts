import {
  type BulkChange,
  type BulkRow,
  type ChangedRow,
  InvalidInput,
  type PlannedRow,
  userRecord,
} from '@rollcall/core/all'
import { callerOf, type Handler } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { sendResult } from '../send.ts'

/** Does to many users what their rows order, or says what that would do. */
export const changeUsers =
  ({ useCases }: HttpOptions, change: BulkChange): Handler =>
  async (ctx) => {
    const { fields } = ctx.state.rollcall
    const given = fields.requiredList('users')
    const dryRun = fields.flag('dry_run')
    const terms = {
      reason: fields.text('reason'),
      subscriptions: fields.choice('subscriptions', ['keep', 'erase']),
      add: fields.texts('add'),
      remove: fields.texts('remove'),
    }
    const administratorsBefore = fields.number('administrators_before')
    fields.assertGood()
    const command = { ...terms, change, rows: given.map(rowOf) }
    if (!dryRun) {
      const rows = await useCases.changeUsers.execute(command, callerOf(ctx))
      return sendResult(ctx, { users: rows.map(changedRecord) })
    }
    const plan = await useCases.planUserChanges.execute({ ...command, administratorsBefore }, callerOf(ctx))
    sendResult(ctx, { users: plan.rows.map(plannedRecord), administrators: plan.administrators, dry_run: true })
  }

const rowOf = (given: unknown): BulkRow => {
  const { id, state, subscriptions } = (given ?? {}) as Readonly<Record<string, unknown>>
  if (typeof id === 'string' && isTextOr(state) && isCountOr(subscriptions))
    return { id, state: state ?? undefined, subscriptions: subscriptions ?? undefined }
  const message = 'Give objects such as {"id": "jane"}, with \'state\' and \'subscriptions\' as a dry run gave them.'
  throw new InvalidInput([{ field: 'users', message }])
}

const isTextOr = (value: unknown): value is string | null | undefined => typeof (value ?? '') === 'string'
const isCountOr = (value: unknown): value is number | null | undefined =>
  Number.isSafeInteger(value ?? 0) && Number(value ?? 0) >= 0

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
    user: userRecord(row.user),
    state: row.state,
    subscriptions: row.subscriptions,
  }),
  ...refusalRecord(row),
})

const changedRecord = (row: ChangedRow) => ({
  id: row.id,
  outcome: row.outcome,
  subscriptions_erased: row.subscriptionsErased,
  subscriptions_kept: row.subscriptionsKept,
  ...refusalRecord(row),
  ours: row.ours,
})
