import type { Fixture } from '../../proving/shared/fixture.ts'
import { Load, putUser, remove, type Script, signUp } from '../../proving/shared/load.ts'
import type { Random } from '../../proving/shared/random.ts'

/** A second. */
export const SIGN_UPS = 200
export const DELETIONS = 20

const ONLY_SIGN_UP: readonly Script[] = [(name) => [signUp(name('only'))]]
const WITH_DELETION: readonly Script[] = [
  (name) => [putUser(name('user')), remove('keep')],
  (name) => [putUser(name('user')), signUp(name('first')), remove('erase')],
]
/** On average one deletion has so many requests, and so many of them are sign-ups. */
const REQUESTS_OF_A_DELETION = 2.5
const SIGN_UPS_OF_A_DELETION = 0.5

/** The load of the world: sign-ups and deletions at fixed rates, however fast they are answered. */
export const worldLoad = ({ ledger, client }: Fixture, random: Random): Pick<Load, 'run'> => {
  const signUps = SIGN_UPS - DELETIONS * SIGN_UPS_OF_A_DELETION
  const loads = [
    new Load(ledger, client, random.fork(), signUps, { scripts: ONLY_SIGN_UP }),
    new Load(ledger, client, random.fork(), DELETIONS * REQUESTS_OF_A_DELETION, { scripts: WITH_DELETION }),
  ]
  return {
    run: async (signal) => {
      await Promise.all(loads.map((load) => load.run(signal)))
    },
  }
}
