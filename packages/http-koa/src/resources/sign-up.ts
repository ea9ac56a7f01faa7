import {
  type AcceptedSubscription,
  camelCased,
  FeedNotFound,
  FIELD_PREFIX,
  type FieldProblem,
  FORM_RELAY,
  InvalidInput,
  MOST_FEEDS,
  type PublicFeed,
  type SubscribeResult,
  severalFeeds,
} from '@rollcall/core'
import { consentSourceOf } from '../client-address.ts'
import type { HttpUseCases } from '../http-options.ts'
import { countInvalidInput } from '../middleware/count-invalid-input.ts'
import { requireVisitor, takeVisitor } from '../middleware/visitor.ts'
import { type Call, operation, PAGE, resource } from '../operation/operation.ts'
import { parameter, withDefault } from '../operation/parameters.ts'
import * as s from '../operation/schema.ts'
import * as w from '../operation/words.ts'
import { languageOf, prefersPage, sendOn, sendPage } from '../pages/send-page.ts'
import { pendingPage, problemWithFields, signUpPage, TOGETHER } from '../pages/sign-up-page.ts'
import { result } from './record-of.ts'

export const SubscribeForm = s.named(
  'SubscribeForm',
  s.withFields(
    s.form(
      { email: w.email },
      {
        name: w.personName,
        feed: s.text("The name of a feed; by default 'default'."),
        feeds: s.texts('In place of `feed`: the names of several feeds, for which one mail is sent.', w.resourceName, {
          minItems: 1,
          maxItems: MOST_FEEDS,
        }),
        locale: w.locale('for mails and pages'),
        website: w.honeypot,
        altcha: w.altcha,
        return_to: s.text("Where to send a browser back to: exactly one of the feed's return URLs."),
        stamp: s.text('Only for the sign-up page itself: when it was shown, signed.'),
      },
    ),
    FIELD_PREFIX,
    'The value of a field that the feed asks for.',
  ),
)

const accepted = s.record({ name: s.text(), email: s.text('As submitted.'), id: w.subscriptionId, feed: s.text() })
const SubscriptionResult = s.named('SubscriptionResult', s.record({ message: s.text(), subscription: accepted }))
const SubscriptionsResult = s.named(
  'SubscriptionsResult',
  s.record({
    message: s.text(),
    subscriptions: s.arrayOf(accepted, 'One for each of the `feeds`, in their order.'),
  }),
)
const SignUpResult = s.named('SignUpResult', s.eitherOf(SubscriptionResult, SubscriptionsResult))

const MESSAGE = 'User subscription pending. A confirmation email has been sent.'

const acceptedRecord = ({ name, email, id, feed }: AcceptedSubscription) => ({ name, email, id, feed })

/** What every sign-up is answered with; one that named `feeds`, with all of them. */
export const signUpResult = (found: SubscribeResult, ofSeveral: boolean): s.Value<typeof SignUpResult> =>
  ofSeveral
    ? { message: MESSAGE, subscriptions: found.subscriptions.map(acceptedRecord) }
    : { message: MESSAGE, subscription: acceptedRecord(found) }

export const signUp = resource(
  'Sign-up',
  [
    operation('POST /subscribe', {
      id: 'subscribe',
      summary: 'Request a subscription. The answer is the same whether or not the address is known.',
      body: SubscribeForm,
      example: { email: 'jane@example.com', name: 'Jane Doe', feed: 'default', locale: 'en' },
      alsoGuarded: FORM_RELAY,
      headers: {
        'Visitor-Address': parameter(
          "The address of the visitor whose form a site's own server passes on, with a token: limits and the evidence of consent go by it.",
          s.text(),
          '203.0.113.7',
        ),
      },
      before: (options) => [takeVisitor(options)],
      answers: { 200: SignUpResult, 303: PAGE },
      orPage: true,
      errors: ['TooManyRequests', 'Unauthenticated', 'InsufficientPermissions'],
      cors: true,
      limited: 'subscribe',
      handle: async (call) => {
        const { ctx, options, useCases, body, fields, assertGood } = call
        const asPage = prefersPage(ctx)
        const source = consentSourceOf(ctx, options, asPage ? 'page' : fields.kind === 'json' ? 'json' : 'form')
        try {
          requireVisitor(ctx)
          assertGood()
          const found = await useCases.subscribe.execute({ ...camelCased(body), source })
          if (!asPage) return result(signUpResult(found, body.feeds !== undefined))
          return await sendPending(call, found)
        } catch (error) {
          countInvalidInput(options, error)
          if (!asPage || !(error instanceof InvalidInput)) throw error
          return await sendFormAgain(call, error)
        }
      },
    }),
    operation('GET /subscribe', {
      id: 'showSignUp',
      summary: 'The sign-up page of a feed, or of several.',
      query: {
        feed: parameter('The name of a feed.', withDefault('default', s.text()), 'default'),
        feeds: parameter('In place of `feed`: the names of several feeds, separated by spaces.', s.text(), 'default'),
        return_to: parameter(
          "Where the form sends the browser back to: exactly one of the feed's return URLs.",
          s.text(),
        ),
      },
      answers: { 200: PAGE },
      errors: ['FeedNotFound'],
      handle: async ({ ctx, options: { publicUrl }, useCases, query, assertGood }) => {
        assertGood()
        const returnTo = query.return_to || undefined
        const feeds = await feedsNamed(useCases, query.feed, namesIn(query))
        // A page without a form redirects to no URL.
        const hasForm = takesForms(feeds)
        const clash = hasForm ? problemWithFields(feeds) : undefined
        const problem = hasForm ? (problemWithReturn(feeds, returnTo) ?? clash) : undefined
        if (problem !== undefined && !prefersPage(ctx)) throw new InvalidInput([problem])
        const texts = languageOf(ctx, feeds[0].language)
        const challenge = useCases.createChallenge.required
        ctx.res.setHeader('Vary', 'Accept-Language')
        if (problem === undefined)
          sendPage(ctx, 200, signUpPage(texts, feeds, publicUrl, { returnTo, challenge }), 'no-cache')
        else {
          const shown = problem === clash ? { ...problem, field: TOGETHER } : problem
          sendPage(ctx, 422, signUpPage(texts, feeds, publicUrl, { problems: [shown], challenge }))
        }
      },
    }),
  ],
  { orPage: true },
)

type Form = {
  readonly [Name in keyof s.Value<typeof SubscribeForm>]: Exclude<s.Value<typeof SubscribeForm>[Name], null>
}
type SignUpCall = Call<unknown, unknown, Form>

/** The page with the next step; or, if the form asked for it, a redirect to where the form came from. */
const sendPending = async (
  { ctx, useCases, options: { publicUrl }, body: { email, locale } }: SignUpCall,
  { subscriptions, returnTo }: SubscribeResult,
): Promise<void> => {
  const { shown } = await feedsToShow(
    useCases,
    undefined,
    subscriptions.map(({ feed }) => feed),
  )
  const texts = languageOf(ctx, locale, shown[0].language)
  sendOn(ctx, returnTo, pendingPage(texts, publicUrl, email, shown[0]))
}

/** The form with what was typed, and what is wrong with it. */
const sendFormAgain = async (
  { ctx, useCases, options: { publicUrl }, body }: SignUpCall,
  { details }: InvalidInput,
): Promise<void> => {
  const { name, email = '', feed, feeds, locale, stamp, return_to: returnTo, fields } = body
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

/** The names in a query, where nothing but spaces is as nothing. */
const namesIn = ({ feed, feeds }: { readonly feed?: string; readonly feeds?: string }) => {
  const names = feeds?.split(' ').filter(Boolean) ?? []
  return names.length === 0 ? undefined : severalFeeds({ feed, feeds: names })
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
