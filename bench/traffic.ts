import type { Traffic } from './load.ts'

const SPACE = 1_000_000_000
// Coprime to SPACE, so that numbers below it stay distinct.
const STEP = 7_368_787

/** The placeholder for the number of a request in its path or body. */
export const PLACEHOLDER = '{n}'

/** Nine digits for each number, distinct and unordered: real addresses do not come sorted, which would help an index. */
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

/** The creation of another user each time. */
export const puts = (headers: Traffic['headers'] = {}): Traffic => ({
  method: 'PUT',
  path: `/users/user-${PLACEHOLDER}`,
  headers: { ...headers, 'Content-Type': 'application/json' },
  body: `{"email":"user.${PLACEHOLDER}@example.com","name":"Brian Smith","roles":["auditor"]}`,
})

/** As long as the tokens that Rollcall issues, so that floors get requests of the same size. */
export const anyToken: Traffic['headers'] = { Authorization: `Bearer ${'x'.repeat(374)}` }
