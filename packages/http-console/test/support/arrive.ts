import { operator } from '@rollcall/core'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import type { OpenConsole } from './open-console.ts'
import { visit } from './visit.ts'

const OPS = operator('ops')

/** A visitor who is logged in. */
export const arriveAt = async (
  { port, link }: Pick<OpenConsole, 'link' | 'port'>,
  browser: Browser,
  options: BrowserContextOptions = {},
) => {
  const origin = `http://localhost:${port}`
  const visitor = await visit(browser, [origin], options)
  await visitor.page.goto(`${origin}/login/${await link()}`)
  await visitor.page.click('main button')
  await visitor.page.waitForURL(`${origin}/`)
  return visitor
}

export const putUsers = async ({ useCases }: Pick<OpenConsole, 'useCases'>, count: number) => {
  const ids = Array.from({ length: count }, (_, n) => `u${n}`)
  for (const userId of ids)
    await useCases.putUser.execute({ userId, email: `${userId}@example.com`, name: '', roles: [] }, OPS)
  return ids
}

/** How many of them there are still. */
export const remaining = async ({ useCases }: Pick<OpenConsole, 'useCases'>, ids: readonly string[]) => {
  const found = ids.map((userId) => useCases.getUser.execute({ userId }, OPS).catch(() => undefined))
  return (await Promise.all(found)).filter((user) => user !== undefined).length
}
