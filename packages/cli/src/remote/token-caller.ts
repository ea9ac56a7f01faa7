import type { Caller } from '@rollcall/core'

/**
 * Whom the server will take the bearer for, as far as the token says so itself. For showing only: nothing is verified,
 * and nothing is decided by it.
 */
export const callerOf = (token: string): Caller => ({
  id: subjectIn(token) ?? 'bearer',
  roles: [],
  roleSource: 'token',
  channel: 'http',
})

const subjectIn = (token: string): string | undefined => {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    if (typeof claims !== 'object' || claims === null || !('sub' in claims)) return undefined
    return typeof claims.sub === 'string' ? claims.sub : undefined
  } catch (error) {
    // Some providers' tokens are opaque to everybody else.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
