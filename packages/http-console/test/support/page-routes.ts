import { ROUTES } from '../../src/routes.ts'
import type { FilledConsole } from './filled-console.ts'

const FILES: ReadonlySet<string> = new Set([
  'GET /transfer/export',
  'GET /users/{id}/export',
  'GET /deletions/{id}/report.csv',
  'GET /feeds/{name}/form.html',
  'GET /feeds/{name}/mail.html',
])

/** The path of every page that there is, with its parameters as they are written in routes. */
export const PAGE_ROUTES: readonly string[] = Object.keys(ROUTES)
  .filter((route) => route.startsWith('GET ') && !FILES.has(route))
  .map((route) => route.slice(4))

/** The first screen of such a page, if there is one. */
export const screenOf = (route: string, { screens }: FilledConsole): string | undefined => {
  const pattern = new RegExp(`^${route.replace(/\{\w+\}/g, '[^/?]+')}(\\?.*)?$`)
  return Object.keys(screens).find((path) => pattern.test(path))
}
