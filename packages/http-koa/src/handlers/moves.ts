import { InvalidInput, LinkNotValid, type MovePurpose, type MoveSubject } from '@rollcall/core'
import { consentSourceOf } from '../client-address.ts'
import type { Handler } from '../exchange.ts'
import type { HttpOptions, HttpUseCases } from '../http-options.ts'
import { linkTokenIn } from '../middleware/access.ts'
import type { LinkOutcome } from '../pages/link-page.ts'
import { moveOutcomePage, movePage, moveProblemPage, moveRequestedPage } from '../pages/move-page.ts'
import { languageOf, prefersPage, sendPage } from '../pages/send-page.ts'
import { sendResult } from '../send.ts'
import { textsFor } from './preferences.ts'
import { countInvalidInput } from './sign-up.ts'

const REQUESTED =
  'If mails can be sent to this address, one with a link is sent there. The subscriptions stay as they are until it is followed.'

/** Mails a link to the address that is to take the place of the owner's. The answer is the same whatever is known of it. */
export const requestMove = (options: HttpOptions): Handler => {
  const { useCases } = options
  return async (ctx) => {
    const { fields } = ctx.state.rollcall
    const token = linkTokenIn(ctx)
    const asPage = prefersPage(ctx)
    const email = fields.requiredText('email')
    // As the page with the form; whatever is known of the new address, it is read.
    const texts = asPage ? textsFor(ctx, await useCases.showPreferences.execute({ token })) : languageOf(ctx)
    try {
      fields.assertGood()
      await useCases.requestMove.execute({ token, email })
      if (asPage) sendPage(ctx, 200, moveRequestedPage(texts, email))
      else sendResult(ctx, { message: REQUESTED })
    } catch (error) {
      countInvalidInput(options, error)
      if (!asPage || !(error instanceof InvalidInput)) throw error
      sendPage(ctx, 422, moveProblemPage(texts, token, { email, problems: error.details }))
    }
  }
}

/** Shows what a link about a change of address would do, and changes nothing: mail scanners follow links. */
export const showMove =
  ({ useCases }: HttpOptions, purpose: MovePurpose): Handler =>
  async (ctx) => {
    const subject = await useCases.showMove.execute({ purpose, token: linkTokenIn(ctx) })
    sendPage(ctx, 200, movePage(languageOf(ctx, subject.locale), purpose, subject))
  }

/** Does what such a link is for. */
export const followMove = (options: HttpOptions, purpose: MovePurpose): Handler => {
  const { useCases } = options
  return async (ctx) => {
    const token = linkTokenIn(ctx)
    const asPage = prefersPage(ctx)
    const source = consentSourceOf(ctx, options, asPage ? 'page' : 'link')
    // Read before the change: the feeds of a page may be unknown after it.
    const subject = asPage ? await subjectOf(useCases, purpose, token) : undefined
    const useCase = purpose === 'move' ? useCases.carryOutMove : useCases.undoMove
    const { already } = await useCase.execute({ token, source })
    const outcome: LinkOutcome = already ? 'again' : 'done'
    if (subject === undefined) sendResult(ctx, { message: MESSAGES[purpose][outcome] })
    else sendPage(ctx, 200, moveOutcomePage(languageOf(ctx, subject.locale), purpose, outcome, subject))
  }
}

const NO_SUBJECT: MoveSubject = { already: false, feeds: [], email: undefined, locale: undefined }

/** A link that is no longer valid has none; what follows refuses it. */
const subjectOf = async ({ showMove }: HttpUseCases, purpose: MovePurpose, token: string): Promise<MoveSubject> => {
  try {
    return await showMove.execute({ purpose, token })
  } catch (error) {
    if (error instanceof LinkNotValid) return NO_SUBJECT
    throw error
  }
}

const MESSAGES = {
  move: {
    done: 'The subscriptions have moved to this address.',
    again: 'The subscriptions had moved to this address already.',
  },
  undo: { done: 'The change of address was undone.', again: 'The change of address was undone already.' },
} as const satisfies Record<MovePurpose, Record<LinkOutcome, string>>
