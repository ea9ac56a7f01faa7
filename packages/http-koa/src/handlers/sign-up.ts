import { FeedNotFound, type FieldProblem, InvalidInput, type PublicFeed, type SubscribeCommand } from '@rollcall/core'
import { consentSourceOf } from '../client-address.ts'
import type { Handler, RouteContext } from '../exchange.ts'
import type { HttpOptions, HttpUseCases } from '../http-options.ts'
import { languageOf, prefersPage, sendOn, sendPage } from '../pages/send-page.ts'
import { pendingPage, signUpPage } from '../pages/sign-up-page.ts'
import { fieldsOfQuery } from '../reading/fields.ts'
import { sendResult } from '../send.ts'
import { signUpIn, subscriptionResult, subscriptionsResult } from './sign-up-form.ts'

/** The sign-up page of a feed, or of several. */
export const showSignUp =
  ({ useCases, publicUrl }: HttpOptions): Handler =>
  async (ctx) => {
    const query = fieldsOfQuery(ctx.querystring)
    const name = query.text('feed')
    const names = query.texts('feeds')
    const returnTo = query.text('return_to') || undefined
    query.assertGood()
    const feeds = await feedsNamed(useCases, name, names)
    // A page without a form redirects to no URL.
    const problem = takesForms(feeds) ? problemWithReturn(feeds, returnTo) : undefined
    if (problem !== undefined && !prefersPage(ctx)) throw new InvalidInput([problem])
    const texts = languageOf(ctx, feeds[0].language)
    const challenge = useCases.createChallenge.required
    ctx.res.setHeader('Vary', 'Accept-Language')
    if (problem === undefined)
      sendPage(ctx, 200, signUpPage(texts, feeds, publicUrl, { returnTo, challenge }), 'no-cache')
    else sendPage(ctx, 422, signUpPage(texts, feeds, publicUrl, { problems: [problem], challenge }))
  }

/** Takes a sign-up. The answer is the same whether or not the address is known. */
export const subscribe = (options: HttpOptions): Handler => {
  const { useCases } = options
  return async (ctx) => {
    const { fields } = ctx.state.rollcall
    const asPage = prefersPage(ctx)
    const source = consentSourceOf(ctx, options, asPage ? 'page' : fields.kind === 'json' ? 'json' : 'form')
    const form = { ...signUpIn(fields), source }
    try {
      fields.assertGood()
      const result = await useCases.subscribe.execute(form)
      const names = result.subscriptions.map(({ feed }) => feed)
      if (asPage) await sendPending(ctx, options, form, names, result.returnTo)
      else sendResult(ctx, form.feeds === undefined ? subscriptionResult(result) : subscriptionsResult(result))
    } catch (error) {
      countInvalidInput(options, error)
      if (!asPage || !(error instanceof InvalidInput)) throw error
      await sendFormAgain(ctx, options, form, error)
    }
  }
}

/** The page with the next step; or, if the form asked for it, a redirect to where the form came from. */
const sendPending = async (
  ctx: RouteContext,
  { useCases, publicUrl }: HttpOptions,
  { email, locale }: SubscribeCommand,
  names: readonly string[],
  returnTo: string | undefined,
): Promise<void> => {
  const { shown } = await feedsToShow(useCases, undefined, names)
  const texts = languageOf(ctx, locale, shown[0].language)
  sendOn(ctx, returnTo, pendingPage(texts, publicUrl, email, shown[0]))
}

/** The form with what was typed, and what is wrong with it. */
const sendFormAgain = async (
  ctx: RouteContext,
  { useCases, publicUrl }: HttpOptions,
  form: SubscribeCommand & { readonly feeds: readonly string[] | undefined },
  { details }: InvalidInput,
): Promise<void> => {
  const { name, email, feed, feeds, locale, stamp, returnTo, fields } = form
  const { shown, missing } = await feedsToShow(useCases, feed, feeds)
  const returnProblem = problemWithReturn(shown, returnTo)
  const found = [...details, ...(missing ? [NO_SUCH_FEED] : returnProblem === undefined ? [] : [returnProblem])]
  // A page without a form has nothing to correct.
  const shownProblems = takesForms(shown) ? found : missing ? [NO_SUCH_FEED] : []
  const typed = {
    name,
    email,
    fields,
    // The core stops at the first value that the feed does not allow, so the same problem may have been found twice.
    problems: shownProblems.filter(({ field }, i) => shownProblems.findIndex((one) => one.field === field) === i),
    returnTo: returnProblem === undefined ? returnTo || undefined : undefined,
    stamp: stamp || undefined,
    challenge: useCases.createChallenge.required,
  }
  sendPage(ctx, 422, signUpPage(languageOf(ctx, locale, shown[0].language), shown, publicUrl, typed))
}

const NO_SUCH_FEED: FieldProblem = { field: 'feed', message: 'There is no such feed.' }

/** One feed at least. */
type Shown = readonly [PublicFeed, ...PublicFeed[]]

const takesForms = (feeds: Shown): boolean => feeds.every(({ open }) => open)

const MOST_FEEDS = 20

const feedsNamed = async (
  { showFeed }: HttpUseCases,
  name: string | undefined,
  names: readonly string[] = [],
): Promise<Shown> => {
  const [first, ...others] = new Set(names)
  const shown: [PublicFeed, ...PublicFeed[]] = [await showFeed.execute({ name: first ?? name })]
  for (const other of others.slice(0, MOST_FEEDS - 1)) shown.push(await showFeed.execute({ name: other }))
  return shown
}

/** The named feeds; if one does not exist, the default one. */
const feedsToShow = async (
  useCases: HttpUseCases,
  name: string | undefined,
  names?: readonly string[],
): Promise<{ shown: Shown; missing: boolean }> => {
  try {
    return { shown: await feedsNamed(useCases, name, names), missing: false }
  } catch (error) {
    if (!(error instanceof FeedNotFound)) throw error
    return { shown: [await useCases.showFeed.execute({})], missing: true }
  }
}

/** Refuses to redirect to a URL that one of the feeds does not list. */
const problemWithReturn = (feeds: Shown, returnTo: string | undefined): FieldProblem | undefined =>
  !returnTo || feeds.every(({ returnUrls }) => returnUrls.includes(returnTo))
    ? undefined
    : { field: 'return_to', message: "Use one of the feed's return URLs, exactly as the feed has it." }

/** The checks of these fields count their own refusals. */
const COUNTED_ELSEWHERE: ReadonlySet<string> = new Set(['altcha', 'stamp'])

/** Counts a form that was refused for the content of its fields; ignores every other error. */
export const countInvalidInput = ({ funnel }: Pick<HttpOptions, 'funnel'>, error: unknown): void => {
  if (error instanceof InvalidInput && !error.details.some(({ field }) => COUNTED_ELSEWHERE.has(field)))
    funnel?.turnedAway('invalid-input')
}
