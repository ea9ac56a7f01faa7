import { defineOnBehalf } from '../act-on-behalf.ts'
import type { Verb } from '../verb.ts'

export const subscriptionConfirm: Verb = {
  name: 'confirm',
  summary: 'Confirm a subscription for its owner, who said so elsewhere',
  details: 'The ledger and the audit trail name who did it. One that has ended cannot be confirmed but by its owner.',
  examples: ['rollcall subscription confirm 8127340912345678 --reason "signed at the fair, list 3"'],
  define: (command, session) => defineOnBehalf(command, session, 'confirmOnBehalf'),
}
