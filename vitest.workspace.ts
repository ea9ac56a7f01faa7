import { tier } from './scripts/testing/tier.ts'

// An ordinary Vitest config under the name that says what it is: the tests of the first tier.
export default tier('fast')
