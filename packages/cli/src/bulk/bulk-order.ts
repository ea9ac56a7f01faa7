import { randomUUID } from 'node:crypto'
import type { BulkForm, BulkReport } from '@rollcall/client'
import { MOST_CHANGED } from '@rollcall/core'
import type { Service } from '../service/service.ts'
import type { BulkRow } from './bulk-row.ts'
import type { IdRow } from './id-source.ts'
import type { BulkTerms, Kind } from './kinds.ts'
import type { Plan } from './plan-file.ts'

/** What every row of a list is changed by, or looked at by in a dry run. */
export interface BulkOrder {
  readonly kind: Kind
  readonly terms: BulkTerms
  readonly plan?: Plan | undefined
}

/** The most rows that go in one request. */
export const AT_ONCE = MOST_CHANGED

const CHANGED = 'The user has changed since the plan was made. Make a new plan.'
const CHANGED_BEFORE_DELETION =
  'The user, the number of its subscriptions, or how long a deletion can be undone has changed since the plan was made. Make a new plan.'
const GONE = 'This user was deleted since the plan was made, but not by this plan.'

/** Changes the users of some rows, or says what that would do; the rows in their order. */
export class BulkAsker {
  readonly #service: Service
  readonly #order: BulkOrder
  readonly #dryRun: boolean
  readonly #requestId: string
  #administrators = 0
  /** Of a dry run: for how many seconds a deletion could be undone. */
  grace = 0

  constructor(service: Service, order: BulkOrder, { dryRun }: { readonly dryRun: boolean }) {
    this.#service = service
    this.#order = order
    this.#dryRun = dryRun
    // With the id of the plan in every audit record, a later run knows what an earlier one has done.
    this.#requestId = order.plan?.id ?? `run-${randomUUID()}`
  }

  /** A dry run asks for one bundle after another: whether an administrator can go depends on those before. */
  async ask(rows: readonly IdRow[]): Promise<readonly BulkRow[]> {
    const asked = rows.filter((row) => skippedRow(row) === undefined)
    const report = asked.length === 0 ? [] : await this.#report(asked)
    // A list of more than a million rows may have one twice that is not known as such.
    const found = new Map(report.map((user) => [user.id, user]))
    return rows.map((row) => skippedRow(row) ?? this.#rowOf(row.id, found.get(row.id)))
  }

  async #report(rows: readonly IdRow[]): Promise<BulkReport['users']> {
    const { kind, terms } = this.#order
    const told = this.#dryRun && { dry_run: true, administrators_before: this.#administrators }
    const body: BulkForm = { ...terms, ...told, users: rows.map(userOf) } as BulkForm
    const report = await this.#service.ask(kind.operation, { body }, { requestId: this.#requestId })
    this.#administrators = report.administrators ?? 0
    this.grace = report.grace ?? 0
    return report.users
  }

  #rowOf(id: string, found: BulkReport['users'][number] | undefined): BulkRow {
    const { kind, plan, terms } = this.#order
    if (found === undefined) throw new TypeError('The service answered for fewer users than it was asked for.')
    const { outcome, user, state, error: name, message = '' } = found
    const row = { id, user, state, planned: found.subscriptions }
    const refused = (why = message): BulkRow => ({
      ...row,
      outcome: 'refused',
      error: { name: name ?? '', message: why },
    })
    if (outcome === 'refused') {
      if (name === 'UserNotFound') return { ...row, outcome: 'not_found', error: { name, message } }
      if (plan !== undefined && name === 'PreconditionFailed')
        return refused(kind.subscriptions ? CHANGED_BEFORE_DELETION : CHANGED)
      if (name !== 'UserDeleted' || kind.subscriptions === undefined) return refused()
      return plan === undefined || found.ours ? { id, outcome: kind.already[0] } : refused(GONE)
    }
    if (outcome === 'same') return { ...row, outcome: kind.already[0] }
    if (kind.subscriptions === undefined)
      return { ...row, outcome: outcome === 'changed' ? kind.done[0] : kind.would[0] }
    if (outcome === 'changed') {
      const { subscriptions_erased: erased = 0, subscriptions_kept: kept = 0 } = found
      return { id, outcome: kind.done[0], subscriptions: { erased, kept }, erasesAt: found.erases_at }
    }
    const { subscriptions: count = 0 } = found
    const subscriptions = terms.subscriptions === 'erase' ? { erased: count, kept: 0 } : { erased: 0, kept: count }
    return { ...row, outcome: kind.would[0], subscriptions }
  }
}

const userOf = ({ id, planned }: IdRow) =>
  planned === undefined || planned.refusal !== undefined
    ? { id }
    : { id, state: planned.state, subscriptions: planned.subscriptions }

/** The row of no user, be it by its address, of one that came before, or of one that the plan leaves out; undefined if it is none of these. */
const skippedRow = ({ id, repeated, planned, refusal }: IdRow): BulkRow | undefined => {
  if (id === '') return { id, outcome: 'blank' }
  // Its first occurrence had its own outcome, and that is the one to count.
  if (repeated) return { id, outcome: 'repeated' }
  if (refusal !== undefined)
    return { id, outcome: refusal.name === 'UserNotFound' ? 'not_found' : 'refused', error: refusal, isAddress: true }
  if (planned?.refusal === undefined) return undefined
  const message = 'It was refused when the plan was made.'
  return { id, outcome: 'left_out', error: { name: planned.refusal, message } }
}
