import { METHODS } from 'node:http'

/** The methods that at least one endpoint has. */
export const EVERY_METHOD = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'] as const

/** Every method that Node parses. */
export const KNOWN_METHODS: readonly string[] = METHODS

/** The value of `Allow` for a path, from the methods that have handlers. */
export const allowedMethods = (methods: readonly string[], trace: boolean): string[] => {
  const offered = new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])
  if (trace) offered.add('TRACE')
  return EVERY_METHOD.filter((method) => offered.has(method))
}
