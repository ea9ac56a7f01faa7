import { InvalidInput, type SubscribeCommand } from '@rollcall/core'
import { consentSourceOf } from '../consent-source.ts'
import type { RouteContext, Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { fill, languageOf } from '../pages/language.ts'
import { noticePage } from '../pages/notice-page.ts'
import { prefersPage } from '../pages/prefers-page.ts'
import { sendPage } from '../pages/send-page.ts'
import { signUpPage } from '../pages/sign-up-page.ts'
import type { Fields } from '../reading/fields.ts'
import { subscriptionResult } from '../representations/subscription-result.ts'
import { sendJson } from '../send.ts'

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
      if (asPage) sendPending(ctx, command)
      else {
        ctx.res.setHeader('Cache-Control', 'no-store')
        sendJson(ctx, 200, JSON.stringify(subscriptionResult(result)))
      }
    } catch (error) {
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
})

const sendPending = (ctx: RouteContext, { email, locale }: SubscribeCommand): void => {
  const texts = languageOf(ctx, locale)
  sendPage(ctx, 200, noticePage(texts, texts.pending.title, fill(texts.pending.text, { address: email })))
}

/** With what was typed, and what is wrong with it. */
const sendFormAgain = async (
  ctx: RouteContext,
  { useCases, publicUrl }: HttpOptions,
  { name = '', email, feed, locale }: SubscribeCommand,
  { details }: InvalidInput,
): Promise<void> => {
  const feedIsWrong = details.some(({ field }) => field === 'feed')
  const shown = await useCases.showFeed.execute({ name: feedIsWrong ? undefined : feed })
  const texts = languageOf(ctx, locale, shown.language)
  sendPage(ctx, 422, signUpPage(texts, shown, publicUrl, { name, email, problems: details }))
}
