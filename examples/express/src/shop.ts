import type { Service } from '@rollcall/app'
import {
  type Answer,
  accessTokenIn,
  consentSource,
  createHandler,
  errorAnswer,
  readSignUp,
  signUpAnswer,
} from '@rollcall/http-koa/host'
import express, { type ErrorRequestHandler, type Express, type Response } from 'express'

const send = (res: Response, { status, headers, body }: Answer): void => {
  res.writeHead(status, headers).end(body)
}

// What is refused by Rollcall is answered as Rollcall answers it; all else is up to Express.
const refusals: ErrorRequestHandler = (error, _req, res, next) => {
  const answer = errorAnswer(error)
  if (answer === undefined) next(error)
  else send(res, answer)
}

/** A shop with routes of its own, in front of Rollcall's use cases. */
export const createShop = ({ useCases, httpOptions }: Service): Express => {
  const shop = express().disable('x-powered-by')

  // The pages that mails lead to: confirm, unsubscribe, preferences. They read their bodies themselves.
  shop.use('/mail', createHandler(httpOptions))
  shop.use(express.urlencoded({ extended: false, limit: '16kb' }), express.json({ limit: '16kb' }))

  shop.get('/', (_req, res) => {
    res.send('The shop')
  })
  shop.post('/subscribe', async (req, res) => {
    const source = consentSource('form', { address: req.ip, userAgent: req.get('User-Agent') })
    const command = { ...readSignUp(req.body), source }
    send(res, signUpAnswer(await useCases.subscribe.execute(command), command))
  })
  shop.delete('/users/:id', async (req, res) => {
    const token = accessTokenIn(req.get('Authorization'))
    const caller = await useCases.authenticate.execute({ token, channel: 'http' })
    await useCases.deleteUser.execute({ userId: req.params.id }, caller)
    res.status(204).end()
  })

  return shop.use(refusals)
}
