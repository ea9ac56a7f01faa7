import { HttpError } from '../error-response.ts'
import type { Handler } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { CHALLENGE_SCRIPT, CHALLENGE_SCRIPT_VERSION } from '../pages/challenge-script.ts'
import { documentOf, sendRepresentation, sendResult } from '../send.ts'

/** The work that a client must do before its form is accepted, if the service requires any. */
export const getChallenge =
  ({ useCases }: HttpOptions): Handler =>
  async (ctx) => {
    const challenge = await useCases.createChallenge.execute()
    if (challenge === undefined) throw noChallenge()
    sendResult(ctx, challenge)
  }

const noChallenge = (): HttpError =>
  new HttpError('NotFound', 'This service requires no challenge. Send the form without one.')

const SCRIPT = documentOf(CHALLENGE_SCRIPT)
const ONE_YEAR = 'public, max-age=31536000, immutable'
const ONE_HOUR = 'public, max-age=3600'

/** The script that solves challenges. Our own pages ask for it by version; pages of other sites cannot know it. */
export const getChallengeScript =
  ({ useCases, now = Date.now }: HttpOptions): Handler =>
  (ctx) => {
    if (!useCases.createChallenge.required) throw noChallenge()
    const cacheControl = ctx.query.v === CHALLENGE_SCRIPT_VERSION ? ONE_YEAR : ONE_HOUR
    const type = 'text/javascript; charset=utf-8'
    sendRepresentation(ctx, { body: SCRIPT, type, cacheControl, now: now() })
  }
