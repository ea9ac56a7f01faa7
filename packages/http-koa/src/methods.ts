import { METHODS } from 'node:http'

/** What some endpoint or other takes. */
export const EVERY_METHOD = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'] as const

/** Every method that Node reads. */
export const KNOWN_METHODS: readonly string[] = METHODS

/** What a path takes, for `Allow`, given what has steps of its own. */
export const allowedMethods = (methods: readonly string[], trace: boolean): string[] => {
  const offered = new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])
  if (trace) offered.add('TRACE')
  return EVERY_METHOD.filter((method) => offered.has(method))
}
