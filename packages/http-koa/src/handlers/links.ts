import { type ConfirmCommand, InvalidInput, LinkNotValid, type LinkPurpose, type LinkSubject } from '@rollcall/core'
import { consentSourceOf } from '../client-address.ts'
import type { Handler } from '../exchange.ts'
import type { HttpOptions, HttpUseCases } from '../http-options.ts'
import { linkTokenIn } from '../middleware/access.ts'
import { BOX, BOXES, type LinkOutcome, linkOutcomePage, linkPage, nextOf } from '../pages/link-page.ts'
import { languageOf, prefersPage, sendOn, sendPage } from '../pages/send-page.ts'
import type { Fields } from '../reading/fields.ts'
import { sendResult } from '../send.ts'

/** Shows what a mailed link would do, and changes nothing: mail scanners follow links. */
export const showLink =
  ({ useCases }: HttpOptions, purpose: LinkPurpose): Handler =>
  async (ctx) => {
    const subject = await useCases.showLink.execute({ purpose, token: linkTokenIn(ctx) })
    const texts = languageOf(ctx, subject.subscription?.locale, subject.feed?.language)
    sendPage(ctx, 200, linkPage(texts, purpose, subject))
  }

/** Does what a mailed link is for. A mail client unsubscribes in one click (RFC 8058 section 3.2): no page, no cookie. */
export const followLink = (options: HttpOptions, purpose: LinkPurpose): Handler => {
  const { useCases } = options
  const via = purpose === 'unsubscribe' ? 'one-click' : 'link'
  return async (ctx) => {
    const token = linkTokenIn(ctx)
    const asPage = prefersPage(ctx)
    const source = consentSourceOf(ctx, options, asPage ? 'page' : via)
    // Read before the change: the language of the page may be gone after it.
    const subject = asPage ? await subjectOf(useCases, purpose, token) : undefined
    const feeds = purpose === 'confirm' ? chosenIn(ctx.state.rollcall.fields) : undefined
    ctx.state.rollcall.fields.assertGood()
    if (subject === undefined) {
      const outcome = await follow(useCases, purpose, { token, source, feeds })
      return sendResult(ctx, { message: MESSAGES[purpose][outcome] })
    }
    const texts = languageOf(ctx, subject.subscription?.locale, subject.feed?.language)
    try {
      const outcome = await follow(useCases, purpose, { token, source, feeds })
      const chosen = { ...subject, group: subject.group?.filter(({ feed }) => feeds?.includes(feed.name) ?? true) }
      sendOn(ctx, nextOf(purpose, chosen), linkOutcomePage(texts, purpose, outcome, chosen))
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error
      sendPage(ctx, 422, linkPage(texts, purpose, subject, texts.several.choose))
    }
  }
}

const NO_SUBJECT: LinkSubject = { subscription: undefined, feed: undefined }

/** The subscription and feed that the page names. A link that is no longer valid names none; `follow` refuses it. */
const subjectOf = async ({ showLink }: HttpUseCases, purpose: LinkPurpose, token: string): Promise<LinkSubject> => {
  try {
    return await showLink.execute({ purpose, token })
  } catch (error) {
    if (error instanceof LinkNotValid) return NO_SUBJECT
    throw error
  }
}

/** The feeds that a form chooses: as a list, or by the boxes of our page; undefined for all. */
const chosenIn = (fields: Fields): readonly string[] | undefined =>
  fields.texts('feeds') ?? fields.texts(BOXES)?.filter((name) => fields.text(`${BOX}${name}`) !== undefined)

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
