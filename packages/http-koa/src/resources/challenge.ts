import { HttpError } from '../error-response.ts'

import { type Media, operation, resource } from '../operation/operation.ts'
import * as s from '../operation/schema.ts'
import { CHALLENGE_SCRIPT, CHALLENGE_SCRIPT_VERSION } from '../pages/challenge-script.ts'
import { documentOf, sendRepresentation } from '../send.ts'
import { result } from './record-of.ts'

const noChallenge = (): HttpError =>
  new HttpError('NotFound', 'This service requires no challenge. Send the form without one.')

const SCRIPT = documentOf(CHALLENGE_SCRIPT)
const TEXT: Media = { content: { 'text/javascript': { schema: { type: 'string' } } } }
/** Whatever the port makes. */
const MADE = s.anything(s.jsonOf(s.record({ parameters: s.object(), signature: s.text() })))
const ONE_YEAR = 'public, max-age=31536000, immutable'
const ONE_HOUR = 'public, max-age=3600'

/** The work that a client must do before its form is accepted, if the service requires any. */
export const challenge = resource('Sign-up', [
  operation('GET /challenge', {
    id: 'getChallenge',
    summary: 'An ALTCHA challenge (version 2), to be solved before a form is accepted. 404 if challenges are off.',
    answers: { 200: s.named('Challenge', MADE) },
    errors: ['NotFound'],
    cors: true,
    handle: async ({ useCases }) => {
      const made = await useCases.createChallenge.execute()
      if (made === undefined) throw noChallenge()
      return result(made)
    },
  }),
  // Our own pages ask for it by version; pages of other sites cannot know it.
  operation('GET /challenge.js', {
    id: 'getChallengeScript',
    summary: 'The script that solves challenges on a page. 404 if challenges are off.',
    answers: { 200: TEXT },
    conditional: 'read',
    errors: ['NotFound'],
    handle: ({ ctx, useCases, options: { now = Date.now } }) => {
      if (!useCases.createChallenge.required) throw noChallenge()
      const cacheControl = ctx.query.v === CHALLENGE_SCRIPT_VERSION ? ONE_YEAR : ONE_HOUR
      const type = 'text/javascript; charset=utf-8'
      sendRepresentation(ctx, { body: SCRIPT, type, cacheControl, now: now() })
    },
  }),
])
