import {
  deliverabilityRecord,
  type FeedbackDecision,
  type FeedbackItem,
  type FieldProblem,
  InvalidInput,
  waitingFeedbackRecord,
} from '@rollcall/core'
import { callerOf, type Handler, pathParameter } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { readRawBody } from '../reading/raw-body.ts'
import { sendNothing, sendResult } from '../send.ts'
import { listHandler, pagingOf } from './resource.ts'

export const recordFeedback =
  ({ useCases }: HttpOptions): Handler =>
  async (ctx) => {
    const { fields } = ctx.state.rollcall
    const values = fields.requiredList('items')
    fields.assertGood()
    await useCases.recordFeedback.execute({ items: itemsIn(values) }, callerOf(ctx))
    sendNothing(ctx)
  }

const TYPES = {
  kind: 'string',
  permanent: 'boolean',
  subscription: 'number',
  address: 'string',
  status: 'string',
  at: 'string',
  provider_id: 'string',
} as const

const SAYS = {
  string: 'Give a text.',
  boolean: 'Give true or false.',
  number: 'Give the id of a subscription.',
} as const

/** @throws {InvalidInput} an item has a field of another type, or is no object */
const itemsIn = (values: readonly unknown[]): FeedbackItem[] => {
  const problems: FieldProblem[] = []
  const items = values.map((value, place): FeedbackItem => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (!isObject) problems.push({ field: `items.${place}`, message: 'Give an object, such as {"kind": "bounce"}.' })
    const item = (isObject ? value : {}) as Readonly<Record<string, unknown>>
    const found: Record<string, unknown> = {}
    for (const [name, type] of Object.entries(TYPES)) {
      const given = item[name] ?? undefined
      if (given === undefined || typeof given === type) found[name] = given
      else problems.push({ field: `items.${place}.${name}`, message: SAYS[type] })
    }
    const { provider_id: providerId, subscription, kind = '', ...others } = found
    const id = subscription === undefined ? undefined : String(subscription)
    return { ...others, kind, subscription: id, providerId } as FeedbackItem
  })
  if (problems.length > 0) throw new InvalidInput(problems)
  return items
}

/** What a mail provider sends by itself: its signature stands for a token. */
export const receiveFeedback =
  ({ useCases }: HttpOptions, provider: string): Handler =>
  async (ctx) => {
    const body = await readRawBody(ctx)
    const { requestId } = ctx.state.rollcall
    await useCases.receiveFeedback.execute({ provider, body, requestId })
    sendResult(ctx, { message: 'The message was taken.' })
  }

export const listFeedback = (options: HttpOptions): Handler =>
  listHandler(options, ({ listFeedback }) => listFeedback, pagingOf, waitingFeedbackRecord)

export const decideFeedback =
  ({ useCases }: HttpOptions, decision: FeedbackDecision): Handler =>
  async (ctx) => {
    const { fields } = ctx.state.rollcall
    const ids = fields.requiredList('ids')
    fields.assertGood()
    if (!ids.every((id) => Number.isSafeInteger(id) && Number(id) >= 1))
      throw new InvalidInput([{ field: 'ids', message: 'Give ids as the list of feedback has them.' }])
    const decided = await useCases.decideFeedback.execute({ decision, ids: ids as readonly number[] }, callerOf(ctx))
    sendResult(ctx, { decided })
  }

export const listUndeliverable = (options: HttpOptions): Handler =>
  listHandler(
    options,
    ({ listUndeliverable }) => listUndeliverable,
    (query) => ({ state: query.text('state'), ...pagingOf(query) }),
    deliverabilityRecord,
  )

export const liftUndeliverable =
  ({ useCases }: HttpOptions): Handler =>
  async (ctx) => {
    await useCases.liftUndeliverable.execute({ address: pathParameter(ctx, 'address') }, callerOf(ctx))
    sendNothing(ctx)
  }
