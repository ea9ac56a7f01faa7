import {
  consentEntry,
  type Evidence,
  explanationRecord,
  type Subscription,
  subscriptionRecord,
  suppressionRecord,
} from '@rollcall/core'
import { preconditionOn, type Resource } from '../conditional-request.ts'
import { callerOf, type Handler, pathParameter } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { fieldsOfQuery } from '../reading/fields.ts'
import { sendNothing, sendRepresentation, sendResult } from '../send.ts'
import { getHandler, listHandler, listRecord, pagingOf, sortingOf } from './resource.ts'

// No date: the name and locale of a pending subscription may change while all its times stay the same.
const SUBSCRIPTION: Resource<Subscription> = { record: subscriptionRecord }
const CONSENTS: Resource<Evidence> = {
  record: ({ consents }) => listRecord({ items: consents, next: undefined }, consentEntry),
}

export const listSubscriptions = (options: HttpOptions): Handler =>
  listHandler(
    options,
    ({ listSubscriptions }) => listSubscriptions,
    (query) => ({
      feed: query.text('feed'),
      status: query.text('status'),
      email: query.text('email'),
      query: query.text('query'),
      ...sortingOf(query),
    }),
    subscriptionRecord,
  )

export const getSubscription = (options: HttpOptions): Handler =>
  getHandler(options, SUBSCRIPTION, ({ getSubscription }) => getSubscription, 'subscriptionId')

/** Why an address got a mail, or none. */
export const explainSubscriptions =
  ({ useCases, now = Date.now }: HttpOptions): Handler =>
  async (ctx) => {
    const query = fieldsOfQuery(ctx.querystring)
    const email = query.requiredText('email')
    query.assertGood()
    const explanation = await useCases.explainSubscriptions.execute({ email }, callerOf(ctx))
    sendRepresentation(ctx, { body: JSON.stringify(explanationRecord(explanation)), now: now() })
  }

/** All consent records of a subscription, oldest first. */
export const getConsent = (options: HttpOptions): Handler =>
  getHandler(options, CONSENTS, ({ getConsent }) => getConsent, 'subscriptionId')

/** Confirms or ends a subscription on behalf of its owner, and answers with its new state. */
export const actOnBehalf =
  ({ useCases }: HttpOptions, action: 'confirmOnBehalf' | 'endOnBehalf'): Handler =>
  async (ctx) => {
    const { fields } = ctx.state.rollcall
    const command = {
      subscriptionId: pathParameter(ctx, 'subscriptionId'),
      reason: fields.requiredText('reason'),
      precondition: preconditionOn(SUBSCRIPTION, ctx, fields),
    }
    const { subscription } = await useCases[action].execute(command, callerOf(ctx))
    sendResult(ctx, subscriptionRecord(subscription))
  }

export const eraseSubscription =
  ({ useCases }: HttpOptions): Handler =>
  async (ctx) => {
    const query = fieldsOfQuery(ctx.querystring)
    const command = {
      subscriptionId: pathParameter(ctx, 'subscriptionId'),
      reason: query.text('reason'),
      precondition: preconditionOn(SUBSCRIPTION, ctx, query),
    }
    await useCases.eraseSubscription.execute(command, callerOf(ctx))
    sendNothing(ctx)
  }

export const listSuppressions = (options: HttpOptions): Handler =>
  listHandler(options, ({ listSuppressions }) => listSuppressions, pagingOf, suppressionRecord)

export const liftSuppression =
  ({ useCases }: HttpOptions): Handler =>
  async (ctx) => {
    const query = fieldsOfQuery(ctx.querystring)
    const command = { address: pathParameter(ctx, 'address'), cause: query.text('cause') }
    query.assertGood()
    await useCases.liftSuppression.execute(command, callerOf(ctx))
    sendNothing(ctx)
  }
