import {
  FeedNotFound,
  type FieldProblem,
  InvalidInput,
  type PublicFeed,
  type SubscribeCommand,
  type SubscribeResult,
} from '@rollcall/core'
import { consentSourceOf } from '../client-address.ts'
import type { Handler, RouteContext } from '../exchange.ts'
import type { HttpOptions, HttpUseCases } from '../http-options.ts'
import { languageOf, prefersPage, sendOn, sendPage } from '../pages/send-page.ts'
import { pendingPage, signUpPage } from '../pages/sign-up-page.ts'
import { fieldsOfQuery } from '../reading/fields.ts'
import { sendResult } from '../send.ts'
import { signUpIn, subscriptionResult } from './sign-up-form.ts'

/** The sign-up page of a feed. */
export const showSignUp =
  ({ useCases, publicUrl }: HttpOptions): Handler =>
  async (ctx) => {
    const query = fieldsOfQuery(ctx.querystring)
    const name = query.text('feed')
    const returnTo = query.text('return_to') || undefined
    query.assertGood()
    const feed = await useCases.showFeed.execute({ name })
    // The page of a closed feed has no form, and so redirects to no URL.
    const problem = feed.open ? problemWithReturn(feed, returnTo) : undefined
    if (problem !== undefined && !prefersPage(ctx)) throw new InvalidInput([problem])
    const texts = languageOf(ctx, feed.language)
    const challenge = useCases.createChallenge.required
    ctx.res.setHeader('Vary', 'Accept-Language')
    if (problem === undefined)
      sendPage(ctx, 200, signUpPage(texts, feed, publicUrl, { returnTo, challenge }), 'no-cache')
    else sendPage(ctx, 422, signUpPage(texts, feed, publicUrl, { problems: [problem], challenge }))
  }

/** Takes a sign-up. The answer is the same whether or not the address is known. */
export const subscribe = (options: HttpOptions): Handler => {
  const { useCases } = options
  return async (ctx) => {
    const { fields } = ctx.state.rollcall
    const asPage = prefersPage(ctx)
    const source = consentSourceOf(ctx, options, asPage ? 'page' : fields.kind === 'json' ? 'json' : 'form')
    const command = { ...signUpIn(fields), source }
    try {
      fields.assertGood()
      const result = await useCases.subscribe.execute(command)
      if (asPage) await sendPending(ctx, options, command, result)
      else sendResult(ctx, subscriptionResult(result))
    } catch (error) {
      countInvalidInput(options, error)
      if (!asPage || !(error instanceof InvalidInput)) throw error
      await sendFormAgain(ctx, options, command, error)
    }
  }
}

/** The page with the next step; or, if the form asked for it, a redirect to where the form came from. */
const sendPending = async (
  ctx: RouteContext,
  { useCases, publicUrl }: HttpOptions,
  { email, locale }: SubscribeCommand,
  { feed, returnTo }: SubscribeResult,
): Promise<void> => {
  const { shown } = await feedToShow(useCases, feed)
  const texts = languageOf(ctx, locale, shown.language)
  sendOn(ctx, returnTo, pendingPage(texts, publicUrl, email, shown))
}

/** The form with what was typed, and what is wrong with it. */
const sendFormAgain = async (
  ctx: RouteContext,
  { useCases, publicUrl }: HttpOptions,
  { name, email, feed, locale, stamp, returnTo }: SubscribeCommand,
  { details }: InvalidInput,
): Promise<void> => {
  const { shown, missing } = await feedToShow(useCases, feed)
  const returnProblem = problemWithReturn(shown, returnTo)
  const found = [...details, ...(missing ? [NO_SUCH_FEED] : returnProblem === undefined ? [] : [returnProblem])]
  // A page without a form has nothing to correct.
  const shownProblems = shown.open ? found : missing ? [NO_SUCH_FEED] : []
  const typed = {
    name,
    email,
    // The core stops at the first value that the feed does not allow, so the same problem may have been found twice.
    problems: shownProblems.filter(({ field }, i) => shownProblems.findIndex((one) => one.field === field) === i),
    returnTo: returnProblem === undefined ? returnTo || undefined : undefined,
    stamp: stamp || undefined,
    challenge: useCases.createChallenge.required,
  }
  sendPage(ctx, 422, signUpPage(languageOf(ctx, locale, shown.language), shown, publicUrl, typed))
}

const NO_SUCH_FEED: FieldProblem = { field: 'feed', message: 'There is no such feed.' }

/** The named feed; if it does not exist, the default one. */
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

/** Refuses to redirect to a URL that the feed does not list. */
const problemWithReturn = (
  { returnUrls }: Pick<PublicFeed, 'returnUrls'>,
  returnTo: string | undefined,
): FieldProblem | undefined =>
  !returnTo || returnUrls.includes(returnTo)
    ? undefined
    : { field: 'return_to', message: "Use one of the feed's return URLs, exactly as the feed has it." }

/** The checks of these fields count their own refusals. */
const COUNTED_ELSEWHERE: ReadonlySet<string> = new Set(['altcha', 'stamp'])

/** Counts a form that was refused for the content of its fields; ignores every other error. */
export const countInvalidInput = ({ funnel }: Pick<HttpOptions, 'funnel'>, error: unknown): void => {
  if (error instanceof InvalidInput && !error.details.some(({ field }) => COUNTED_ELSEWHERE.has(field)))
    funnel?.turnedAway('invalid-input')
}
