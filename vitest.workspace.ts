import { tier } from './scripts/testing/tier.ts'

// An ordinary Vitest config under the name that says what it is: the tests that need nothing but `npm ci`.
export default tier('fast')
