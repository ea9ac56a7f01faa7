import { InvalidInput, type MovePurpose, type MoveSubject } from '@rollcall/core'
import { consentSourceOf } from '../client-address.ts'
import { linkTokenIn } from '../middleware/access.ts'
import { countInvalidInput } from '../middleware/count-invalid-input.ts'
import { type Call, operation, PAGE, resource } from '../operation/operation.ts'
import * as s from '../operation/schema.ts'
import * as w from '../operation/words.ts'
import type { LinkOutcome } from '../pages/link-page.ts'
import { moveOutcomePage, movePage, moveProblemPage, moveRequestedPage } from '../pages/move-page.ts'
import { languageOf, prefersPage, sendPage } from '../pages/send-page.ts'
import { subjectOr } from './links.ts'
import { textsFor } from './preferences.ts'
import { result } from './record-of.ts'

const REQUESTED =
  'If mails can be sent to this address, one with a link is sent there. The subscriptions stay as they are until it is followed.'

/** Shows what a link about a change of address would do, and changes nothing: mail scanners follow links. */
const showing =
  (purpose: MovePurpose) =>
  async ({ ctx, useCases }: Call): Promise<void> => {
    const subject = await useCases.showMove.execute({ purpose, token: linkTokenIn(ctx) })
    sendPage(ctx, 200, movePage(languageOf(ctx, subject.locale), purpose, subject))
  }

/** Does what such a link is for. */
const following =
  (purpose: MovePurpose) =>
  async ({ ctx, options, useCases }: Call) => {
    const token = linkTokenIn(ctx)
    const asPage = prefersPage(ctx)
    const source = consentSourceOf(ctx, options, asPage ? 'page' : 'link')
    // Read before the change: the feeds of a page may be unknown after it.
    const subject = asPage ? await subjectOr(NO_SUBJECT, useCases.showMove.execute({ purpose, token })) : undefined
    const useCase = purpose === 'move' ? useCases.carryOutMove : useCases.undoMove
    const { already } = await useCase.execute({ token, source })
    const outcome: LinkOutcome = already ? 'again' : 'done'
    if (subject === undefined) return result({ message: MESSAGES[purpose][outcome] })
    sendPage(ctx, 200, moveOutcomePage(languageOf(ctx, subject.locale), purpose, outcome, subject))
    return undefined
  }

const NO_SUBJECT: MoveSubject = { already: false, feeds: [], email: undefined, locale: undefined }

const MESSAGES = {
  move: {
    done: 'The subscriptions have moved to this address.',
    again: 'The subscriptions had moved to this address already.',
  },
  undo: { done: 'The change of address was undone.', again: 'The change of address was undone already.' },
} as const satisfies Record<MovePurpose, Record<LinkOutcome, string>>

/** How an address is changed for another. */
export const moves = resource(
  'Preferences',
  [
    operation('POST /preferences/{token}/move', {
      id: 'requestMove',
      summary:
        'Ask to move the confirmed subscriptions to another address, which gets a mail with a link to confirm that. Whatever is known of it, the answer is the same.',
      signed: 'preferences',
      body: s.named('MoveForm', s.form({ email: w.email })),
      example: { email: 'jane.doe@example.com' },
      answers: { 200: w.Message },
      orPage: true,
      errors: ['TooManyRequests'],
      limited: 'preferences',
      handle: async ({ ctx, options, useCases, body: { email = '' }, assertGood }) => {
        const token = linkTokenIn(ctx)
        const asPage = prefersPage(ctx)
        // As the page with the form; whatever is known of the new address, it is read.
        const texts = asPage ? textsFor(ctx, await useCases.showPreferences.execute({ token })) : languageOf(ctx)
        try {
          assertGood()
          await useCases.requestMove.execute({ token, email })
          if (!asPage) return result({ message: REQUESTED })
          return sendPage(ctx, 200, moveRequestedPage(texts, email))
        } catch (error) {
          countInvalidInput(options, error)
          if (!asPage || !(error instanceof InvalidInput)) throw error
          return sendPage(ctx, 422, moveProblemPage(texts, token, { email, problems: error.details }))
        }
      },
    }),
    operation('GET /move/{token}', {
      id: 'showMove',
      summary: 'A page with a button that moves the subscriptions. Changes nothing.',
      answers: { 200: PAGE },
      handle: showing('move'),
    }),
    operation('POST /move/{token}', {
      id: 'carryOutMove',
      summary: 'Move the confirmed subscriptions of the old address to this one. Idempotent.',
      idempotent: true,
      signed: 'move',
      reads: 'unused',
      answers: { 200: w.Message },
      orPage: true,
      handle: following('move'),
    }),
    operation('GET /undo/{token}', {
      id: 'showUndo',
      summary: 'A page with a button that undoes a change of address. Changes nothing.',
      answers: { 200: PAGE },
      handle: showing('undo'),
    }),
    operation('POST /undo/{token}', {
      id: 'undoMove',
      summary:
        'Undo a change of address, within seven days: the subscriptions that it has made end, the old ones are confirmed.',
      idempotent: true,
      signed: 'undo',
      reads: 'unused',
      answers: { 200: w.Message },
      orPage: true,
      handle: following('undo'),
    }),
  ],
  { orPage: true },
)
