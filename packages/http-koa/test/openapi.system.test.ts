import { describe, expect, it } from 'vitest'
import type { HttpObserver } from '../src/index.ts'
import { document } from './support/documented.ts'
import { lintFindings } from './support/lint-findings.ts'
import { type OpenServer, openServer } from './support/open-server.ts'
import { runSchemathesis } from './support/schemathesis.ts'

const DAY = 24 * 3600 * 1000
/** Test cases for each operation, at most. */
const EXAMPLES = Number(process.env.TEST_OPENAPI_EXAMPLES ?? 10)

const EVERY_PHASE = /✅ Examples\s+✅ Coverage\s+✅ Fuzzing\s+✅ Stateful/

/** Links of different addresses, so that what one does leaves the others as they are. */
const linksFor = async (server: OpenServer): Promise<Record<string, string>> => {
  const links: Record<string, string> = {}
  for (const purpose of ['confirm', 'refuse', 'unsubscribe'] as const) {
    await server.request('POST', '/subscribe', { form: { email: `${purpose}@example.com` } })
    links[`/${purpose}/{token}`] = (await server.links())[purpose]
  }
  const email = 'preferences@example.com'
  await server.request('POST', '/subscribe', { form: { email } })
  await server.request('POST', (await server.links()).confirm)
  server.clock.advance(DAY)
  await server.request('POST', '/preferences', { form: { email } })
  await server.useCases.deliverOutbox.execute({ limit: 10 })
  const link = new URL(server.transport.mails.at(-1)!.links.preferences!).pathname
  for (const path of ['/preferences/{token}', '/preferences/{token}/export']) links[path] = link
  return links
}

describe('the OpenAPI document', () => {
  it('follows the recommended rules of Redocly and of Spectral', async () => {
    expect(await lintFindings(JSON.stringify(document))).toEqual([])
    const { contact, ...info } = document.info
    expect(await lintFindings(JSON.stringify({ ...document, info, security: [{ unknown: [] }] }))).toEqual(
      expect.arrayContaining(['info-contact', 'security-defined']),
    )
  })
})

describe('Schemathesis', () => {
  it.each([
    { caller: 'an administrator', roles: ['admin'] },
    { caller: 'an auditor', roles: ['auditor'] },
    { caller: 'a sender', roles: ['sender'] },
    { caller: 'a caller without a role', roles: [] },
  ])('finds no difference between the document and the service, as $caller', async ({ roles }) => {
    const successful = new Set<string>()
    const observer: HttpObserver = {
      answered: (route, method, status) => {
        if (status < 300 && method !== 'TRACE' && method !== 'HEAD' && method !== 'OPTIONS')
          successful.add(`${method} ${route}`)
      },
    }
    const server = await openServer({ observer })
    const links = await linksFor(server)
    const token = await server.token('caller', ...roles)
    const { status, output } = await runSchemathesis({
      url: `http://127.0.0.1:${server.port}`,
      token,
      links,
      examples: EXAMPLES,
    })
    expect({ status, output }).toEqual({ status: 0, output: expect.stringMatching(EVERY_PHASE) })
    // Had it deleted the caller, everything after that would have been 401.
    expect((await server.request('GET', '/feeds', { token })).status).not.toBe(401)
    if (roles.includes('admin')) expect(successful.size).toBeGreaterThan(40)
  })
})
