import { InvalidInput, type SubscribeCommand } from '@rollcall/core'
import { consentSourceOf } from '../consent-source.ts'
import { countInvalidInput } from '../count-invalid-input.ts'
import type { Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { prefersPage } from '../pages/prefers-page.ts'
import type { Fields } from '../reading/fields.ts'
import { subscriptionResult } from '../representations/subscription-result.ts'
import { sendJson } from '../send.ts'
import { sendFormAgain, sendPending } from './sign-up-answers.ts'

/** Takes a sign-up. Whatever is known of the address, the answer is the same. */
export const subscribe = (options: HttpOptions): Step => {
  const { useCases } = options
  return async (ctx) => {
    const { fields } = ctx.state.rollcall
    const asPage = prefersPage(ctx)
    const source = consentSourceOf(ctx, options, asPage ? 'page' : fields.kind === 'json' ? 'json' : 'form')
    const command = { ...formIn(fields), source }
    try {
      fields.assertGood()
      const result = await useCases.subscribe.execute(command)
      if (asPage) await sendPending(ctx, options, command, result)
      else {
        ctx.res.setHeader('Cache-Control', 'no-store')
        sendJson(ctx, 200, JSON.stringify(subscriptionResult(result)))
      }
    } catch (error) {
      countInvalidInput(options, error)
      if (!asPage || !(error instanceof InvalidInput)) throw error
      await sendFormAgain(ctx, options, command, error)
    }
  }
}

const formIn = (fields: Fields): Omit<SubscribeCommand, 'source'> => ({
  email: fields.requiredText('email'),
  name: fields.text('name'),
  feed: fields.text('feed'),
  locale: fields.text('locale'),
  website: fields.text('website'),
  altcha: fields.text('altcha'),
  stamp: fields.text('stamp'),
  returnTo: fields.text('return_to'),
})
