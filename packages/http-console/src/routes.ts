import { addressScreens } from './screens/addresses.ts'
import { auditScreens } from './screens/audit.ts'
import { deletionScreens } from './screens/deletions.ts'
import { feedFaceScreens } from './screens/feed-face.ts'
import { feedPreviewScreens } from './screens/feed-previews.ts'
import { feedbackScreens } from './screens/feedback.ts'
import { feedScreens } from './screens/feeds.ts'
import { findScreens } from './screens/find.ts'
import { healthScreens } from './screens/health.ts'
import { sessionScreens } from './screens/sessions.ts'
import { startScreens } from './screens/start.ts'
import { subscriptionScreens } from './screens/subscriptions.ts'
import { tokenScreens } from './screens/tokens.ts'
import { transferScreens } from './screens/transfer.ts'
import { userScreens } from './screens/users.ts'
import { webhookScreens } from './screens/webhooks.ts'
import type { Handler } from './visit.ts'

/** Every page by its method and path. */
export const ROUTES: Readonly<Record<string, Handler>> = {
  ...startScreens,
  ...findScreens,
  ...addressScreens,
  ...subscriptionScreens,
  ...healthScreens,
  ...userScreens,
  ...deletionScreens,
  ...feedScreens,
  ...feedPreviewScreens,
  ...feedFaceScreens,
  ...webhookScreens,
  ...transferScreens,
  ...auditScreens,
  ...sessionScreens,
  ...tokenScreens,
  ...feedbackScreens,
}

/** Those that take a list or a file. */
const LARGE: ReadonlySet<string> = new Set([
  'POST /deletions',
  'POST /suppressions/-/check',
  'POST /transfer/import',
  'POST /feeds/{name}/face',
  'POST /feeds/{name}/face/preview',
])

interface Route {
  readonly handler: Handler
  readonly template: string
  readonly params: Readonly<Record<string, string>>
  readonly isLarge: boolean
}

const COMPILED = Object.entries(ROUTES).map(([route, handler]) => {
  const [method, template = ''] = route.split(' ')
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return {
    method,
    names,
    handler,
    route,
    template,
    pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '([^/]+)')}$`),
  }
})

export const READING: readonly string[] = ['GET', 'HEAD']

/** What a page may be asked for by; none if there is no such page. */
export const methodsOf = (path: string): readonly string[] =>
  COMPILED.filter(({ pattern }) => pattern.test(path)).flatMap(({ method }) => (method === 'GET' ? READING : 'POST'))

export const routeFor = (method: string, path: string): Route | undefined => {
  for (const { method: wanted, names, handler, route, template, pattern } of COMPILED) {
    const values = wanted === method ? pattern.exec(path)?.slice(1) : undefined
    if (values === undefined) continue
    try {
      const params = Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(values[i] ?? '')]))
      return { handler, template, params, isLarge: LARGE.has(route) }
    } catch {
      // A broken percent escape is the path of nothing.
      return undefined
    }
  }
  return undefined
}
