import { isNotModified } from '../conditional/conditional-request.ts'
import { entityTagOf } from '../conditional/entity-tag.ts'
import type { Handler } from '../exchange.ts'
import { HttpError } from '../http-error.ts'
import type { HttpOptions } from '../http-options.ts'
import { CHALLENGE_SCRIPT, CHALLENGE_SCRIPT_VERSION } from '../pages/challenge-script.ts'
import { sendResult } from '../send.ts'

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

const ONE_YEAR = 'public, max-age=31536000, immutable'
const ONE_HOUR = 'public, max-age=3600'

/** The script that solves challenges. Our own pages ask for it by version; pages of other sites cannot know it. */
export const getChallengeScript = ({ useCases, now = Date.now }: HttpOptions): Handler => {
  const entityTag = entityTagOf(CHALLENGE_SCRIPT)
  return (ctx) => {
    if (!useCases.createChallenge.required) throw noChallenge()
    const { res, query } = ctx
    res.setHeader('ETag', entityTag)
    res.setHeader('Cache-Control', query.v === CHALLENGE_SCRIPT_VERSION ? ONE_YEAR : ONE_HOUR)
    if (isNotModified(ctx.headers, { entityTag, lastModified: undefined }, now())) {
      ctx.status = 304
      ctx.body = null
      return
    }
    ctx.status = 200
    res.setHeader('Content-Type', 'text/javascript; charset=utf-8')
    ctx.body = CHALLENGE_SCRIPT
  }
}
