import { FeedNotFound, type FieldProblem, InvalidInput, type PublicFeed, type SubscribeCommand } from '@rollcall/core'
import { consentSourceOf } from '../consent-source.ts'
import type { RouteContext, Step } from '../exchange.ts'
import type { HttpOptions, HttpUseCases } from '../http-options.ts'
import { fill, languageOf } from '../pages/language.ts'
import { noticePage } from '../pages/notice-page.ts'
import { prefersPage } from '../pages/prefers-page.ts'
import { sendPage } from '../pages/send-page.ts'
import { signUpLink } from '../pages/sign-up-link.ts'
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
      if (asPage) sendPending(ctx, options, command, result.feed)
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

const sendPending = (
  ctx: RouteContext,
  { publicUrl }: HttpOptions,
  { email, locale }: SubscribeCommand,
  feed: string,
): void => {
  const texts = languageOf(ctx, locale)
  const { title, text } = texts.pending
  sendPage(ctx, 200, noticePage(texts, title, fill(text, { address: email }), signUpLink(texts, publicUrl, feed)))
}

/** With what was typed, and what is wrong with it. */
const sendFormAgain = async (
  ctx: RouteContext,
  { useCases, publicUrl }: HttpOptions,
  { name = '', email, feed, locale }: SubscribeCommand,
  { details }: InvalidInput,
): Promise<void> => {
  const feedIsWrong = details.some(({ field }) => field === 'feed')
  const { shown, missing } = await feedToShow(useCases, feedIsWrong ? undefined : feed)
  const problems = missing ? [...details, NO_SUCH_FEED] : details
  const texts = languageOf(ctx, locale, shown.language)
  sendPage(ctx, 422, signUpPage(texts, shown, publicUrl, { name, email, problems }))
}

const NO_SUCH_FEED: FieldProblem = { field: 'feed', message: 'There is no such feed.' }

/** The feed of that name; the default one where it is missing, which nobody may have looked at yet. */
const feedToShow = async (
  { showFeed }: HttpUseCases,
  name: string | undefined,
): Promise<{ shown: PublicFeed; missing: boolean }> => {
  try {
    return { shown: await showFeed.execute({ name }), missing: false }
  } catch (error) {
    if (!(error instanceof FeedNotFound)) throw error
    return { shown: await showFeed.execute({}), missing: true }
  }
}
