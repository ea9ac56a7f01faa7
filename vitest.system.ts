import { tier } from './scripts/testing/tier.ts'

export default tier('system')
