import { type LinkCommand, LinkNotValid, type LinkPurpose, type LinkSubject } from '@rollcall/core'
import { consentSourceOf } from '../consent-source.ts'
import type { Step } from '../exchange.ts'
import type { HttpOptions, HttpUseCases } from '../http-options.ts'
import { languageOf } from '../pages/language.ts'
import { type LinkOutcome, linkOutcomePage, nextOf } from '../pages/link-page.ts'
import { prefersPage } from '../pages/prefers-page.ts'
import { sendOn } from '../pages/send-page.ts'
import { sendJson } from '../send.ts'
import { linkTokenIn } from './link-token.ts'

/** Does what a mailed link is for. Unsubscribing by a program is one click (RFC 8058 section 3.2): no page, no cookie. */
export const followLink = (options: HttpOptions, purpose: LinkPurpose): Step => {
  const { useCases } = options
  const via = purpose === 'unsubscribe' ? 'one-click' : 'link'
  return async (ctx) => {
    const token = linkTokenIn(ctx)
    const asPage = prefersPage(ctx)
    const source = consentSourceOf(ctx, options, asPage ? 'page' : via)
    // Looked at before: afterwards there may be nothing left that says which language to speak.
    const subject = asPage ? await subjectOf(useCases, purpose, token) : undefined
    const outcome = await follow(useCases, purpose, { token, source })
    if (subject !== undefined) {
      const texts = languageOf(ctx, subject.subscription?.locale, subject.feed?.language)
      sendOn(ctx, nextOf(purpose, subject), linkOutcomePage(texts, purpose, outcome, subject))
    } else {
      ctx.res.setHeader('Cache-Control', 'no-store')
      sendJson(ctx, 200, JSON.stringify({ message: MESSAGES[purpose][outcome] }))
    }
  }
}

const NOBODY: LinkSubject = { subscription: undefined, feed: undefined }

/** Whom the page speaks to. Whether the link may be followed is not decided here: one pressed again shows nothing. */
const subjectOf = async ({ showLink }: HttpUseCases, purpose: LinkPurpose, token: string): Promise<LinkSubject> => {
  try {
    return await showLink.execute({ purpose, token })
  } catch (error) {
    if (error instanceof LinkNotValid) return NOBODY
    throw error
  }
}

const follow = async (useCases: HttpUseCases, purpose: LinkPurpose, command: LinkCommand): Promise<LinkOutcome> => {
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
