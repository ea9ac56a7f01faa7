import type { EmbeddingOptions } from '@rollcall/cli'
import type { Feed } from '@rollcall/core'
import { embeddedForm } from '@rollcall/http-koa'
import type { Config } from './config.ts'
import { openPages } from './pages.ts'

/**
 * The sign-up form of a feed of this service, for another site.
 * @throws {PagesNotUsable} a file in the deployer's folder of pages cannot be used
 */
export const formOf = (config: Config, feed: Feed, options: EmbeddingOptions): string => {
  const { publicUrl, CHALLENGE } = config
  return embeddedForm(feed, { ...options, publicUrl, challenge: CHALLENGE === 'altcha', pages: openPages(config) })
}
