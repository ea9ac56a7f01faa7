import { existsSync } from 'node:fs'
import path from 'node:path'
import { type Pages, readPages } from '@rollcall/http-koa'
import type { Config } from './config.ts'

/**
 * Pages with what the deployer's folder changes about them, if there is such a folder.
 * @throws {PagesNotUsable} a file in it cannot be used
 */
export const openPages = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): Pages | undefined => {
  const folder = path.join(DATA_DIR, 'pages')
  return existsSync(folder) ? readPages(folder) : undefined
}
