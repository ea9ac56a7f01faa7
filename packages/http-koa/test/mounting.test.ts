import { once } from 'node:events'
import { connect } from 'node:net'
import Router from '@koa/router'
import { Unauthenticated } from '@rollcall/core'
import Koa from 'koa'
import bodyParser from 'koa-bodyparser'
import { describe, expect, it } from 'vitest'
import type { ExchangeState } from '../src/exchange.ts'
import { createApp, createRouter, type HttpOptions, type MountedInterface } from '../src/index.ts'
import { CountingLimiter } from './support/counting-limiter.ts'
import { openHost } from './support/open-host.ts'

/** Takes the prefix away, as koa-mount does. */
const withoutPrefix =
  (prefix: string): Koa.Middleware =>
  async (ctx, next) => {
    const { path } = ctx
    ctx.path = path.slice(prefix.length)
    await next()
    ctx.path = path
  }

const openKoa = (build: (options: HttpOptions) => Pick<Koa, 'callback'>) =>
  openHost((options) => build(options).callback())

describe('in another Koa application', () => {
  it('the router serves its own paths with all their rules, and leaves all others to the host', async () => {
    const host = await openKoa((options) => {
      const app = new Koa()
      app.use(createRouter(options).routes())
      app.use((ctx) => {
        ctx.body = 'the host’s own'
      })
      return app
    })
    expect((await host.request('POST', '/subscribe', { form: { email: 'a@example.com' } })).status).toBe(200)
    const refused = await host.request('GET', '/users/1')
    expect(refused).toMatchObject({ status: 401, headers: { 'x-content-type-options': 'nosniff' } })
    expect(JSON.parse(refused.body).error).toBe('Unauthenticated')
    const allow = 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS, TRACE'
    expect((await host.request('PROPFIND', '/users/1')).headers.allow).toBe(allow)
    expect((await host.request('OPTIONS', '/users/1')).status).toBe(204)
    expect((await host.request('TRACE', '/users/1')).headers['content-type']).toBe('message/http')
    expect((await host.request('GET', '/users/%zz')).status).toBe(400)
    expect((await host.request('GET', '/elsewhere')).body).toBe('the host’s own')
  })

  it.each([
    ['PUT /users/ada', 'application/json', 'identity'],
    ['PUT /users/ada', 'application/json', 'gzip'],
    ['POST /subscriptions/import', 'text/csv', 'identity'],
    ['POST /subscriptions/import', 'text/csv', 'gzip'],
  ])('a body is not waited for once its client has gone: %s, %s, %s', async (line, type, coding) => {
    const over = Promise.withResolvers<void>()
    const host = await openKoa((options) => {
      const app = new Koa()
      app.silent = true
      // Something asynchronous, such as looking a token up in a database.
      app.use(async (ctx, next) => {
        await new Promise((resolve) => ctx.req.once('close', resolve))
        await next().finally(() => over.resolve())
      })
      app.use(createRouter(options).routes())
      return app
    })
    const { token } = await host.service.tokens.issue({ subject: 'root', roles: ['admin'], lifetime: 60 })
    const socket = connect(host.port, '127.0.0.1')
    await once(socket, 'connect')
    const fields = [`Authorization: Bearer ${token}`, `Content-Type: ${type}`, `Content-Encoding: ${coding}`]
    socket.write(`${line} HTTP/1.1\r\nHost: x\r\n${fields.join('\r\n')}\r\nContent-Length: 9\r\n\r\nhalf`)
    setTimeout(() => socket.resetAndDestroy(), 50)
    await over.promise
    expect(host.log.lines.filter(({ level }) => level === 'error')).toEqual([])
  })

  const behindPrefix =
    (more: Partial<HttpOptions> = {}) =>
    (options: HttpOptions) => {
      const router = createRouter({ ...options, publicUrl: 'https://host.example/mail', ...more })
      return new Koa().use(router.prefix('/mail').routes())
    }

  it('the router takes a prefix', async () => {
    const host = await openKoa(behindPrefix())
    expect((await host.request('POST', '/mail/subscribe', { form: { email: 'a@example.com' } })).status).toBe(200)
    expect((await host.request('GET', '/livez')).status).toBe(404)
    const { token } = await host.service.tokens.issue({ subject: 'root', roles: ['admin'], lifetime: 60 })
    const created = await host.request('PUT', '/mail/feeds/x', { token, json: {} })
    expect([created.status, created.headers.location]).toEqual([201, '/mail/feeds/x'])
  })

  it('the router leads back to what was asked for too often, behind a prefix too', async () => {
    const host = await openKoa(behindPrefix({ rateLimiter: new CountingLimiter(0) }))
    for (const path of ['/subscribe', '/preferences']) {
      const { status, body } = await host.request('POST', `/mail${path}`, { headers: { Accept: 'text/html' } })
      expect([status, /href="([^"]*)"(?![\s\S]*href=)/.exec(body)?.[1]]).toEqual([429, `/mail${path}`])
    }
  })

  describe('another interface of the router', () => {
    const OTHER: MountedInterface = {
      path: '/other/v2',
      bodyTypes: ['application/json'],
      routeOf: (path) => (path === '/other/v2/refused' ? path : undefined),
      answer: async ({ path, query }) => {
        if (path === '/refused') throw new Unauthenticated('There is no token.', { tokenRefused: false })
        return { status: 200, headers: { 'Content-Type': 'text/plain' }, body: `${path}?${query}` }
      },
      errorAnswer: (_, { status, message }) => ({ status, headers: {}, body: `other: ${message}` }),
    }
    const router = (options: HttpOptions) => createRouter({ ...options, mounted: OTHER })

    it.each<[string, string, (app: Koa, options: HttpOptions) => unknown]>([
      ['where it is', '', (app, options) => app.use(router(options).routes())],
      ['behind a prefix', '/mail', (app, options) => app.use(router(options).prefix('/mail').routes())],
      ['behind a parameter', '/of/ada', (app, options) => app.use(router(options).prefix('/of/:name').routes())],
      [
        'within another router',
        '/a/b',
        (app, options) => app.use(new Router<ExchangeState>().use('/a/b', router(options).routes()).routes()),
      ],
      ['mounted', '/mail', (app, options) => app.use(withoutPrefix('/mail')).use(router(options).routes())],
      [
        'mounted as an application',
        '/mail',
        (app, options) => {
          app.use(withoutPrefix('/mail'))
          for (const middleware of createApp({ ...options, mounted: OTHER }).middleware) app.use(middleware)
        },
      ],
    ])('is answered %s, and so are its errors', async (_, prefix, build) => {
      const host = await openKoa((options) => {
        const app = new Koa()
        build(app, options)
        return app
      })
      const bodyOf = async (path: string, method = 'GET') => (await host.request(method, `${prefix}${path}`)).body
      expect(await bodyOf('/other/v2')).toBe('?')
      expect(await bodyOf('/other/v2/Users/a%2Fb%20c?x=y')).toBe('/Users/a%2Fb%20c?x=y')
      expect(await bodyOf('/other/v2/other/v2/x', 'PATCH')).toBe('/other/v2/x?')
      const refused = await host.request('GET', `${prefix}/other/v2/refused`)
      expect([refused.status, refused.body]).toEqual([401, 'other: There is no token.'])
      expect(host.log.lines.find(({ level }) => level === 'info')?.fields.route).toBe('/other/v2/refused')
      expect(await bodyOf('/other/v2/%zz')).toMatch(/^other: Correct the percent escapes/)
      expect(await bodyOf('/users/1')).toContain('"error":"Unauthenticated"')
    })
  })

  it('a body parser in front of the router is reported as a defect, and no form is misread', async () => {
    const host = await openKoa((options) => new Koa().use(bodyParser()).use(createRouter(options).routes()))
    const answer = await host.request('POST', '/subscribe', { form: { email: 'a@example.com' } })
    expect(answer.status).toBe(500)
    expect(String(host.log.lines.find(({ level }) => level === 'error')?.fields.err)).toMatch(/mount Rollcall first/)
  })

  it('the application runs on any server', async () => {
    const host = await openKoa(createApp)
    expect((await host.request('POST', '/subscribe', { json: { email: 'a@example.com' } })).status).toBe(200)
    expect(JSON.parse((await host.request('GET', '/nowhere')).body).error).toBe('NotFound')
  })
})
