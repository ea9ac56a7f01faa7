import { PLACEHOLDER } from '../distinct.ts'
import type { Traffic } from '../load.ts'

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
