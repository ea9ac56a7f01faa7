import type { Check } from './check.ts'
import { eventually } from './eventually.ts'
import { Stage } from './stage.ts'

const MAILS = 5
const PATIENCE = 10_000
/** Milliseconds in which what a dead process had in hand is taken over. */
const TAKE_OVER = 60_000

/** The service is killed with mails in hand: its next life must send them. */
export const orphans: Check = async ({ plantings }) => {
  await using stage = await Stage.set({ plantings })
  let inHand = 0
  stage.relay.decide = (step) => {
    if (step !== 'dot') return undefined
    inHand++
    return { act: 'hang' }
  }
  const service = await stage.start()
  for (let n = 0; n < MAILS; n++) await stage.ask('POST', '/subscribe', { body: { email: `person-${n}@example.com` } })
  if (!(await eventually(() => inHand > 0, PATIENCE))) return 'no mail was begun'
  await service.kill()
  stage.relay.decide = () => undefined
  await stage.start()
  if (await eventually(() => stage.accepted.length >= MAILS, TAKE_OVER)) return undefined
  return `${stage.accepted.length} of ${MAILS} mails came within a minute of the death of the process that had them in hand`
}
