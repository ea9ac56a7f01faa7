import { entityTagOf } from '../conditional/entity-tag.ts'
import { isNotModified } from '../conditional/not-modified.ts'
import type { Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { CHALLENGE_SCRIPT, CHALLENGE_SCRIPT_VERSION } from '../pages/challenge-script.ts'
import { noChallenge } from './get-challenge.ts'

const FOR_EVER = 'public, max-age=31536000, immutable'
const FOR_AN_HOUR = 'public, max-age=3600'

/** The script that solves challenges. Our own pages name its version; those of others cannot know it. */
export const getChallengeScript = ({ useCases, now = Date.now }: HttpOptions): Step => {
  const entityTag = entityTagOf(CHALLENGE_SCRIPT)
  return (ctx) => {
    if (!useCases.createChallenge.required) throw noChallenge()
    const { res, query } = ctx
    res.setHeader('ETag', entityTag)
    res.setHeader('Cache-Control', query.v === CHALLENGE_SCRIPT_VERSION ? FOR_EVER : FOR_AN_HOUR)
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
