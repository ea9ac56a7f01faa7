import { challengeAuthorityContract } from '@rollcall/core/contract'
import { memoryDigests } from '@rollcall/core/memory'
import { createAltchaAuthority } from '../src/index.ts'
import { LITTLE_WORK, solve } from './solve.ts'

challengeAuthorityContract(() => {
  // The library looks at the system's clock as well, so this one runs with it.
  let ahead = 0
  const clock = { now: () => Date.now() + ahead }
  return {
    open: (secret) => createAltchaAuthority({ clock, digests: memoryDigests(secret), work: LITTLE_WORK }),
    solve,
    advance: (milliseconds) => {
      ahead += milliseconds
    },
  }
})
