import type { Step } from '../exchange.ts'
import { HttpError } from '../http-error.ts'
import type { HttpOptions } from '../http-options.ts'
import { sendJson } from '../send.ts'

/** The work to be done before a form is taken, where any is asked for. */
export const getChallenge =
  ({ useCases }: HttpOptions): Step =>
  async (ctx) => {
    const challenge = await useCases.createChallenge.execute()
    if (challenge === undefined) throw noChallenge()
    ctx.res.setHeader('Cache-Control', 'no-store')
    sendJson(ctx, 200, JSON.stringify(challenge))
  }

export const noChallenge = (): HttpError =>
  new HttpError('NotFound', 'No challenge is asked for here. Send the form without one.')
