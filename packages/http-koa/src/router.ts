import { Router } from '@koa/router'
import type { AppStep, ExchangeState, Step } from './exchange.ts'
import type { HttpOptions } from './http-options.ts'
import { allowedMethods, KNOWN_METHODS } from './methods.ts'
import { routesOf } from './routes.ts'
import { screen } from './screen.ts'
import { answer } from './steps/answer.ts'
import { refuseMethod } from './steps/refuse-method.ts'

/** Every endpoint as a router, to be mounted in a Koa application of one's own, before any parser of bodies. */
export const createRouter = (options: HttpOptions): Router<ExchangeState> =>
  buildRouter(options, [answer(options), screen(options)])

/** The router, each of whose routes begins with the given steps. */
export const buildRouter = (options: HttpOptions, before: readonly AppStep[]): Router<ExchangeState> => {
  const router = new Router<ExchangeState>({ sensitive: true, strict: true })
  for (const [path, methods] of byPath(routesOf(options))) {
    const allowed = allowedMethods([...methods.keys()], options.trace)
    const refuse = refuseMethod(allowed)
    for (const [method, steps] of methods) {
      const last = method === 'OPTIONS' ? [refuse] : []
      router.register(path, [method], [inOneStep([...before, ...steps, ...last])])
    }
    const others = KNOWN_METHODS.filter((method) => !methods.has(method) && !(method === 'HEAD' && methods.has('GET')))
    router.register(path, others, [inOneStep([...before, refuse])])
  }
  return router
}

/** The steps one after another, as one: the router would put them together anew for each request. */
const inOneStep = (steps: readonly (Step | AppStep)[]): Step => {
  const [first, ...others] = steps
  if (first === undefined) return (_ctx, next) => next()
  const rest = others.length === 0 ? undefined : inOneStep(others)
  return (ctx, next) => first(ctx, rest === undefined ? next : () => Promise.resolve(rest(ctx, next)))
}

const byPath = (routes: Readonly<Record<string, readonly Step[]>>): Map<string, Map<string, readonly Step[]>> => {
  const paths = new Map<string, Map<string, readonly Step[]>>()
  for (const [name, steps] of Object.entries(routes)) {
    const [method = '', template = ''] = name.split(' ')
    // OpenAPI writes `{id}`, the router `:id`.
    const path = template.replace(/\{(\w+)\}/g, ':$1')
    const methods = paths.get(path) ?? new Map<string, readonly Step[]>()
    paths.set(path, methods.set(method, steps))
  }
  return paths
}
