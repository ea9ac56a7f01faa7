import formbody from '@fastify/formbody'
import type { Service } from '@rollcall/app'
import type { LinkPurpose } from '@rollcall/core'
import {
  type Answer,
  accessTokenIn,
  consentSource,
  errorAnswer,
  readSignUp,
  signUpAnswer,
} from '@rollcall/http-koa/host'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'

// As bytes, because to a text Fastify adds a charset.
const send = (reply: FastifyReply, { status, headers, body }: Answer): FastifyReply =>
  reply.code(status).headers(headers).send(Buffer.from(body))

const sourceOf = (via: string, { ip, headers }: FastifyRequest) =>
  consentSource(via, { address: ip, userAgent: headers['user-agent'] })

const PAGES: Record<LinkPurpose, { readonly button: string; readonly done: string }> = {
  confirm: { button: 'Confirm the subscription', done: 'You are subscribed.' },
  refuse: { button: 'This was not me', done: 'You will get no more mail.' },
  unsubscribe: { button: 'Unsubscribe', done: 'You are unsubscribed.' },
}

/** A newsletter's routes in front of Rollcall's use cases, with pages of its own for the links in mails. */
export const createNewsletter = async ({ useCases }: Service): Promise<FastifyInstance> => {
  const app = fastify({ bodyLimit: 16 * 1024 })
  await app.register(formbody)

  // What is refused by Rollcall is answered as Rollcall answers it; all else is up to Fastify.
  app.setErrorHandler((error, _request, reply) => {
    const answer = errorAnswer(error)
    return answer === undefined ? reply.send(error) : send(reply, answer)
  })

  app.post('/subscribe', async (request, reply) => {
    const command = { ...readSignUp(request.body), source: sourceOf('form', request) }
    return send(reply, signUpAnswer(await useCases.subscribe.execute(command), command))
  })

  app.delete<{ Params: { id: string } }>('/users/:id', async ({ headers, params }, reply) => {
    const token = accessTokenIn(headers.authorization)
    const caller = await useCases.authenticate.execute({ token, channel: 'http' })
    await useCases.deleteUser.execute({ userId: params.id }, caller)
    return reply.code(204).send()
  })

  const links = {
    confirm: useCases.confirmSubscription,
    refuse: useCases.refuseSubscription,
    unsubscribe: useCases.endSubscription,
  }
  await app.register(async (pages) => {
    // Mail programs send forms of either kind. None is looked at: the token says everything.
    pages.removeAllContentTypeParsers()
    pages.addContentTypeParser('*', (_request, _body, done) => done(null))
    for (const purpose of ['confirm', 'refuse', 'unsubscribe'] as const) {
      const { button, done } = PAGES[purpose]
      // To look at a page changes nothing, because mail scanners follow links.
      pages.get<{ Params: { token: string } }>(`/${purpose}/:token`, async ({ params }, reply) => {
        await useCases.showLink.execute({ purpose, token: params.token })
        return reply.type('text/html').send(`<!doctype html><form method="post"><button>${button}</button></form>`)
      })
      pages.post<{ Params: { token: string } }>(`/${purpose}/:token`, async (request, reply) => {
        await links[purpose].execute({ token: request.params.token, source: sourceOf('link', request) })
        return reply.type('text/html').send(`<!doctype html><p>${done}</p>`)
      })
    }
  })
  return app
}
