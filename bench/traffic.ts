import type { Traffic } from './load.ts'

const SPACE = 1_000_000_000
// Without a common factor with SPACE, so that no two numbers below it meet.
const STEP = 7_368_787

/** What stands for the number of a request in its path or body. */
export const PLACEHOLDER = '{n}'

/** Nine digits for each number, all different and in no order: addresses do not come sorted, an index must not gain. */
export const distinct = (number: number): string => String((number * STEP) % SPACE).padStart(9, '0')

/** A sign-up form, of another address each time. */
export const signUps: Traffic = {
  method: 'POST',
  path: '/subscribe',
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body: `name=Brian%20Smith&email=brian.smith.${PLACEHOLDER}%40example.com`,
}

/** The deletion of another user each time. */
export const deletions = (headers: Traffic['headers'] = {}): Traffic => ({
  method: 'DELETE',
  path: `/users/user-${PLACEHOLDER}`,
  headers,
  body: '',
})

/** Of the length of those that Rollcall issues: a floor is asked the same, whatever it makes of it. */
export const anyToken: Traffic['headers'] = { Authorization: `Bearer ${'x'.repeat(374)}` }
