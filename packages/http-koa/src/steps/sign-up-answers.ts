import {
  FeedNotFound,
  type FieldProblem,
  type InvalidInput,
  type PublicFeed,
  type SubscribeCommand,
  type SubscribeResult,
} from '@rollcall/core'
import type { RouteContext } from '../exchange.ts'
import type { HttpOptions, HttpUseCases } from '../http-options.ts'
import { languageOf } from '../pages/language.ts'
import { pendingPage } from '../pages/pending-page.ts'
import { sendOn, sendPage } from '../pages/send-page.ts'
import { signUpPage } from '../pages/sign-up-page.ts'
import { problemWithReturn } from './problem-with-return.ts'

/** What is to be done now; or, where the form asked for it, the way back to where it came from. */
export const sendPending = async (
  ctx: RouteContext,
  { useCases, publicUrl }: HttpOptions,
  { email, locale }: SubscribeCommand,
  { feed, returnTo }: SubscribeResult,
): Promise<void> => {
  const { shown } = await feedToShow(useCases, feed)
  const texts = languageOf(ctx, locale, shown?.language)
  sendOn(ctx, returnTo, pendingPage(texts, publicUrl, email, feed))
}

/** The form with what was typed, and what is wrong with it. */
export const sendFormAgain = async (
  ctx: RouteContext,
  { useCases, publicUrl }: HttpOptions,
  { name, email, feed, locale, stamp, returnTo }: SubscribeCommand,
  { details }: InvalidInput,
): Promise<void> => {
  const { shown, missing } = await feedToShow(useCases, feed)
  const strayed = problemWithReturn(shown, returnTo)
  const found = [...details, ...(missing ? [NO_SUCH_FEED] : strayed === undefined ? [] : [strayed])]
  // Where there is no form, there is nothing to correct.
  const told = shown.open ? found : missing ? [NO_SUCH_FEED] : []
  const typed = {
    name,
    email,
    // The core stops at the first thing that the feed does not allow, so that one may be found twice.
    problems: told.filter(({ field }, i) => told.findIndex((one) => one.field === field) === i),
    returnTo: strayed === undefined ? returnTo || undefined : undefined,
    stamp: stamp || undefined,
    challenge: useCases.createChallenge.required,
  }
  sendPage(ctx, 422, signUpPage(languageOf(ctx, locale, shown.language), shown, publicUrl, typed))
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
