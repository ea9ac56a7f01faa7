import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ownPath } from '../src/login/login-pages.ts'

describe('the path to go to after a login', () => {
  it.each([
    ['/users', '/users'],
    ['/users?after=%2Fx&q=a+b#top', '/users?after=%2Fx&q=a+b'],
    ['/users/../feeds', '/feeds'],
    ['/%2Fevil.example', '/%2Fevil.example'],
    [null, '/'],
    ['', '/'],
    ['users', '/'],
    ['/login/callback', '/'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['/\t/evil.example', '/'],
    ['https://evil.example/', '/'],
    // As paths they have no host, but what is left of them would.
    ['/.//evil.example', '/'],
    ['/x/..//evil.example', '/'],
    ['/%2e//evil.example', '/'],
    ['/.\\\\evil.example', '/'],
  ])('of %j is %j', (text, expected) => {
    expect(ownPath(text)).toBe(expected)
  })

  it('stays as it is when it is asked for again, and names no host', () => {
    const piece = fc.constantFrom(...'/.\\%?#@:\t éx', '%2e', '%2f', '%5c', 'login')
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece).map((pieces) => pieces.join('')),
    )
    fc.assert(
      fc.property(anything, (text) => {
        const path = ownPath(`/${text}`)
        expect(ownPath(path)).toBe(path)
        expect(path).toMatch(/^\/(?!\/)/)
      }),
      { numRuns: 2_000 },
    )
  })
})
