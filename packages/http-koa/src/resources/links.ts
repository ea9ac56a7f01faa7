import { type ConfirmCommand, InvalidInput, LinkNotValid, type LinkPurpose, type LinkSubject } from '@rollcall/core'
import { consentSourceOf } from '../client-address.ts'
import type { HttpUseCases } from '../http-options.ts'
import { linkTokenIn } from '../middleware/access.ts'
import { type Call, operation, PAGE, resource } from '../operation/operation.ts'
import * as s from '../operation/schema.ts'
import * as w from '../operation/words.ts'
import { BOX, BOXES, type LinkOutcome, linkOutcomePage, linkPage, nextOf } from '../pages/link-page.ts'
import { languageOf, prefersPage, sendOn, sendPage } from '../pages/send-page.ts'
import type { Fields } from '../reading/fields.ts'
import { result } from './record-of.ts'

const ConfirmationForm = s.named(
  'ConfirmationForm',
  s.form(
    {},
    {
      feeds: s.texts(
        'Which of the feeds that the mail was about to confirm; one at least. By default all of them.',
        w.resourceName,
        { minItems: 1 },
      ),
    },
  ),
)

/** Shows what a mailed link would do, and changes nothing: mail scanners follow links. */
const showing =
  (purpose: LinkPurpose) =>
  async ({ ctx, options: { publicUrl }, useCases }: Call): Promise<void> => {
    const subject = await useCases.showLink.execute({ purpose, token: linkTokenIn(ctx) })
    const texts = languageOf(ctx, subject.subscription?.locale, subject.feed?.language)
    sendPage(ctx, 200, linkPage(texts, purpose, subject, publicUrl))
  }

/** Does what a mailed link is for. A mail client unsubscribes in one click (RFC 8058 section 3.2): no page, no cookie. */
const following = (purpose: LinkPurpose) => {
  const via = purpose === 'unsubscribe' ? 'one-click' : 'link'
  return async ({ ctx, options, useCases, assertGood }: Call, feeds?: readonly string[]) => {
    const token = linkTokenIn(ctx)
    const asPage = prefersPage(ctx)
    const source = consentSourceOf(ctx, options, asPage ? 'page' : via)
    // Read before the change: the language of the page may be gone after it.
    const subject = asPage ? await subjectOr(NO_SUBJECT, useCases.showLink.execute({ purpose, token })) : undefined
    assertGood()
    if (subject === undefined)
      return result({ message: MESSAGES[purpose][await follow(useCases, purpose, { token, source, feeds })] })
    const texts = languageOf(ctx, subject.subscription?.locale, subject.feed?.language)
    try {
      const outcome = await follow(useCases, purpose, { token, source, feeds })
      const chosen = { ...subject, group: subject.group?.filter(({ feed }) => feeds?.includes(feed.name) ?? true) }
      sendOn(ctx, nextOf(purpose, chosen), linkOutcomePage(texts, purpose, outcome, chosen, options.publicUrl))
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error
      sendPage(ctx, 422, linkPage(texts, purpose, subject, options.publicUrl, texts.several.choose))
    }
    return undefined
  }
}

const NO_SUBJECT: LinkSubject = { subscription: undefined, feed: undefined }

/** What the page names. A link that is no longer valid names nothing; what follows refuses it. */
export const subjectOr = async <Subject>(none: Subject, looking: Promise<Subject>): Promise<Subject> =>
  await looking.catch((error: unknown) => (error instanceof LinkNotValid ? none : Promise.reject(error)))

/** The feeds that the boxes of our page choose; undefined for all. */
const tickedIn = (fields: Fields): readonly string[] | undefined =>
  fields.words(BOXES)?.filter((name) => fields.text(`${BOX}${name}`) !== undefined)

const follow = async (useCases: HttpUseCases, purpose: LinkPurpose, command: ConfirmCommand): Promise<LinkOutcome> => {
  if (purpose === 'confirm') {
    const { already } = await useCases.confirmSubscription.execute(command)
    return already ? 'again' : 'done'
  }
  await (purpose === 'refuse' ? useCases.refuseSubscription : useCases.endSubscription).execute(command)
  return 'done'
}

const MESSAGES = {
  confirm: { done: 'The subscription is confirmed.', again: 'The subscription was confirmed already.' },
  refuse: {
    done: 'The subscription was ended, and no such mail will be sent to this address again.',
    again: 'The subscription was ended, and no such mail will be sent to this address again.',
  },
  unsubscribe: { done: 'The subscription has ended.', again: 'The subscription has ended.' },
} as const satisfies Record<LinkPurpose, Record<LinkOutcome, string>>

const confirm = following('confirm')

export const links = resource(
  'Sign-up',
  [
    operation('GET /confirm/{token}', {
      id: 'showConfirm',
      summary: 'A page with a button that confirms. Changes nothing.',
      answers: { 200: PAGE },
      handle: showing('confirm'),
    }),
    operation('POST /confirm/{token}', {
      id: 'confirm',
      summary: 'Confirm a pending subscription, or those that the mail was about. Idempotent.',
      idempotent: true,
      signed: 'confirm',
      body: ConfirmationForm,
      bodyOptional: true,
      example: { feeds: ['default'] },
      answers: { 200: w.Message, 303: PAGE },
      orPage: true,
      handle: (call) => confirm(call, call.body.feeds ?? tickedIn(call.fields)),
    }),
    operation('GET /refuse/{token}', {
      id: 'showRefuse',
      summary: "A page with a button that says 'this was not me'. Changes nothing.",
      answers: { 200: PAGE },
      handle: showing('refuse'),
    }),
    operation('POST /refuse/{token}', {
      id: 'refuse',
      summary: 'End the subscription, and all such mails to the address.',
      signed: 'refuse',
      reads: 'unused',
      answers: { 200: w.Message },
      orPage: true,
      handle: (call) => following('refuse')(call),
    }),
    operation('GET /unsubscribe/{token}', {
      id: 'showUnsubscribe',
      summary: 'A page with a button that ends the subscription. Changes nothing.',
      answers: { 200: PAGE },
      handle: showing('unsubscribe'),
    }),
    // Whatever its body is or says, it is not read.
    operation('POST /unsubscribe/{token}', {
      id: 'unsubscribe',
      summary: 'End the subscription in one click (RFC 8058). The body is ignored, whatever its type.',
      idempotent: true,
      answers: { 200: w.Message },
      orPage: true,
      handle: (call) => following('unsubscribe')(call),
    }),
  ],
  { orPage: true },
)
