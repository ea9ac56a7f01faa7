import { expect } from 'vitest'
import type { Answer } from './exchange.ts'
import type { OpenServer } from './open-server.ts'

export const HTML = { Accept: 'text/html' }
export const EMAIL = 'Ada.Lovelace@example.com'
export const DAY = 24 * 3600 * 1000

export const json = ({ body }: Answer) => JSON.parse(body)

/** Requests the link, and reads its path from the mail. */
export const preferencesLink = async (server: OpenServer): Promise<string> => {
  server.clock.advance(DAY)
  await server.request('POST', '/preferences', { form: { email: EMAIL } })
  await server.useCases.deliverOutbox.execute({ limit: 10 })
  return new URL(server.transport.mails.at(-1)!.links.preferences!).pathname
}

/** Confirmed on `default`, pending on `news`, ended on `offers`; the path of the link. */
export const owner = async (server: OpenServer, locale = 'en'): Promise<string> => {
  const token = await server.token('root', 'admin')
  await server.request('PUT', '/feeds/news', { token, json: { title: '<i>News</i>' } })
  await server.request('PUT', '/feeds/offers', { token, json: { title: 'Offers' } })
  for (const feed of ['default', 'news', 'offers']) {
    await server.request('POST', '/subscribe', { form: { email: EMAIL, name: 'Ada', feed, locale } })
    const { confirm, unsubscribe } = await server.links()
    if (feed === 'default') await server.request('POST', confirm)
    if (feed === 'offers') await server.request('POST', unsubscribe)
    server.clock.advance(DAY)
  }
  return await preferencesLink(server)
}
/** The shown subscriptions: feed and status. */
export const statuses = async (server: OpenServer, path: string) =>
  Object.fromEntries(
    json(await server.request('GET', path)).subscriptions.map((one: { feed: string; status: string }) => [
      one.feed,
      one.status,
    ]),
  )
/** A page that no cache keeps, and that sends no referrer. */
export const isPrivatePage = ({ headers, body }: Answer, language = 'en'): void => {
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(headers['cache-control']).toBe('no-store')
  expect(headers['referrer-policy']).toBe('no-referrer')
  expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*form-action 'self'.*frame-ancestors 'none'/)
  expect([headers['set-cookie'], headers.location]).toEqual([undefined, undefined])
  expect(body).toMatch(new RegExp(`^<!doctype html>\\n<html lang="${language}"`))
  expect(body).not.toMatch(/<script|\son\w+=|javascript:|style="/i)
}
